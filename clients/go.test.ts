// The Go client by Go's own tools, and what its README shows, run against a whole service.

import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../packages/server/src/testing/service.ts';
import { goEnv, missingGo } from './conformance/toolchains/go.ts';

const FOLDER = join(import.meta.dirname, 'go');
/** A first run compiles Go's standard library. */
const MS_MAX = 300_000;
const execute = promisify(execFile);

const missing = await missingGo();

if (missing !== null) test.skip(`the Go client is not tried here: ${missing}`, () => {});

describe.skipIf(missing !== null)('the Go client', () => {
  test('is written as gofmt writes and has nothing that go vet objects to', { timeout: MS_MAX }, async () => {
    expect(await inFolder('gofmt', '-l', '.')).toBe('');
    await inFolder('go', 'vet', './...');
  });

  test('keeps what its own tests promise, without races where they can be looked for', { timeout: MS_MAX }, async () => {
    const race = (await canFindRaces()) ? ['-race'] : [];
    const said = await inFolder('go', 'test', ...race, './...');
    expect(said).toMatch(/^ok\s+example\.com\/svc\s/m);
  });

  test('needs nothing but the standard library', { timeout: MS_MAX }, async () => {
    expect((await inFolder('go', 'list', '-m', 'all')).trim()).toBe('example.com/svc');
  });

  describe('its README', () => {
    let service: TestService;
    let folder: string;
    let blocks: string[];

    beforeAll(async () => {
      service = await startTestService();
      folder = await mkdtemp(join(tmpdir(), 'svc-go-readme-'));
      const readme = await readFile(join(FOLDER, 'README.md'), 'utf8');
      blocks = blocksOf(readme, 'go');
      // As it says that the module is had.
      const [had] = blocksOf(readme, 'sh');
      await execute('sh', ['-ec', had!], { cwd: folder, env: { ...goEnv(), SVC: join(FOLDER, '../..') }, timeout: MS_MAX });
      const keys = (await service.request('GET', '/v1/audit/keys')).body.keys as { verifier_key: string }[];
      await writeFile(join(folder, 'keys.txt'), keys.map(({ verifier_key: key }) => `${key}\n`).join(''));
    }, MS_MAX);

    afterAll(async () => {
      await service.close();
      await rm(folder, { recursive: true, force: true });
    });

    test('begins with a program that works when it is pasted', { timeout: MS_MAX }, async () => {
      expect(blocks[0]).toMatch(/^package main\n/);
      expect(await runProgram(blocks[0]!)).toMatch(/^blocked\n- attack\.injection \w+\n/);
    });

    test('shows nothing that does not work', { timeout: MS_MAX }, async () => {
      const shown = await runProgram(programOf(blocks.slice(1)));
      for (const expected of [
        'show instead: Your key is [AWS_ACCESS_KEY_ID].',
        'The capital of France is Paris.allowed',
        / inference\.allowed$/m,
        'there is no such event',
        /^asm_\w+$/m,
        / events, all of them signed for$/m,
        /^event \d+ is in the log: true$/m,
        'webhooks: 401 204',
      ])
        expect(shown).toMatch(expected);
    });

    async function runProgram(text: string): Promise<string> {
      await writeFile(join(folder, 'main.go'), text);
      const { live, admin } = service.organization.keys;
      const settings = {
        BASE: service.baseUrl,
        LIVE_KEY: live,
        ADMIN_KEY: admin,
        WEBHOOK_SECRET: `whsec_${randomBytes(32).toString('base64')}`,
      };
      const { stdout } = await execute('go', ['run', '.'], { cwd: folder, env: { ...goEnv(), ...settings }, timeout: MS_MAX });
      return stdout;
    }
  });
});

async function inFolder(command: string, ...args: readonly string[]): Promise<string> {
  try {
    return (await execute(command, args, { cwd: FOLDER, env: goEnv(), timeout: MS_MAX })).stdout;
  } catch (err) {
    const { stdout = '', stderr = '' } = err as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: err });
  }
}

/** The detector needs a C compiler. */
async function canFindRaces(): Promise<boolean> {
  const [isOn, compiler] = (await inFolder('go', 'env', 'CGO_ENABLED', 'CC')).split('\n');
  if (isOn !== '1') return false;
  return execute(compiler!, ['--version']).then(
    () => true,
    () => false,
  );
}

function blocksOf(markdown: string, language: 'go' | 'sh'): string[] {
  const found = markdown.matchAll(/^```(\w+)\n(.*?)^```$/gms);
  return [...found].flatMap(([, of, code]) => (of === language ? [code!] : []));
}

/** Runs one block after another, and then sends to the webhook handler that one of them has set up. */
function programOf(blocks: readonly string[]): string {
  const functions = blocks.map(
    (code, index) => `func block${index}(ctx context.Context, client *svc.Client) error {\n${code}\nreturn nil\n}\n`,
  );
  return `package main

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"time"

	svc "example.com/svc"
)

${functions.join('\n')}
func main() {
	client, err := svc.New(os.Getenv("LIVE_KEY"), svc.WithBaseURL(os.Getenv("BASE")))
	if err != nil {
		log.Fatal(err)
	}
	for i, block := range []func(context.Context, *svc.Client) error{${blocks.map((_, index) => `block${index}`).join(', ')}} {
		if err := block(context.Background(), client); err != nil && !errors.Is(err, io.EOF) {
			log.Fatalf("block %d: %v", i+1, err)
		}
	}
	fmt.Println("webhooks:", deliver(nil), deliver(func(body []byte) http.Header {
		key, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("WEBHOOK_SECRET"), "whsec_"))
		at := strconv.FormatInt(time.Now().Unix(), 10)
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte("evt_1." + at + "." + string(body)))
		signature := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
		return http.Header{"Webhook-Id": {"evt_1"}, "Webhook-Timestamp": {at}, "Webhook-Signature": {signature}}
	}))
}

func deliver(sign func([]byte) http.Header) int {
	body := []byte(\`{"id":"evt_1","kind":"inference.blocked"}\`)
	request := httptest.NewRequest(http.MethodPost, "/webhooks/svc", bytes.NewReader(body))
	if sign != nil {
		request.Header = sign(body)
	}
	answer := httptest.NewRecorder()
	http.DefaultServeMux.ServeHTTP(answer, request)
	return answer.Code
}
`;
}
