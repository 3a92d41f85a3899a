// Promises about erasing: what is gone, what stays provable, and who may do it.

import { isIncluded, leafHash, openNote, parseCheckpoint, parseVerifier } from '@svc/trail';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { newUuid, parseId, uuidText } from '../ids.ts';
import { changeEvent } from '../journal/journal.ts';
import type { NewOrganization } from '../organizations/service.ts';
import { startReceiver } from '../testing/receiver.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { signIn } from '../testing/sign-in.ts';

const soon = { timeout: 10_000, interval: 10 };

let service: TestService;
let org: NewOrganization;
let aheadMs = 0;
beforeAll(async () => {
  service = await startTestService({ SVC_EGRESS_ALLOW_CIDRS: '127.0.0.0/8' }, () => Date.now() + aheadMs);
});
beforeEach(async () => {
  org = await service.createOrganization();
});
afterAll(() => service.close());

const get = (path: string, key = org.keys.admin) => service.request('GET', path, { key });
const assess = async (body: object = INFERENCE) =>
  (await service.request('POST', '/v1/assessments', { key: org.keys.live, body })).body;
const redact = (body: object, key = org.keys.admin, headers: Record<string, string> = {}) =>
  service.request('POST', '/v1/audit/redactions', { key, body, headers });
const keepTexts = () => service.request('PUT', '/v1/policy', { key: org.keys.admin, body: { data: { store: 'full' } } });
const pointersOf = ({ body }: { body: { error: { details: { pointer: string }[] } } }) =>
  body.error.details.map(({ pointer }) => pointer);

const INFERENCE = {
  input: 'My card is 4111 1111 1111 1111, says Ann.',
  subject: { user: 'ann-user', session: 'ann-session' },
  external_id: 'ann-case',
  metadata: { customer: 'ann-customer' },
};
const ALL = ['actor.ip', 'subject', 'external_id', 'metadata', 'previews', 'text'];

/** All that the database holds of the organization, as text. */
async function everything(): Promise<string> {
  const tables = ['events', 'assessment_texts', 'telemetry', 'deliveries'];
  const { db } = service.services;
  const rows = await Promise.all(
    tables.map((table) => db.query(`SELECT * FROM ${table} WHERE org_id = $1`, [uuidText(org.uuid)])),
  );
  return JSON.stringify(rows.map((each) => each.rows));
}

describe('a redaction', () => {
  test('leaves nothing of the values, and the proof as it was', async () => {
    await keepTexts();
    const { event_id: id } = await assess();
    const { body: before } = await get(`/v1/events/${id}/proof`);
    const { status, body } = await redact({ event_id: id, fields: ALL, basis: 'Art. 17 GDPR, request 7' });
    expect(status).toBe(201);
    expect(body).toEqual({
      event_id: id,
      sequence: before.sequence,
      fields: ALL,
      basis: 'Art. 17 GDPR, request 7',
      redaction_event_id: expect.stringMatching(/^evt_/),
      created_at: expect.any(String),
    });
    const { body: after } = await get(`/v1/events/${id}/proof?size=${before.tree_size}`);
    // The text was in no proof before either.
    expect(after.disclosures).toHaveLength(before.disclosures.length - ALL.length + 1);
    expect(after).toEqual({ ...before, disclosures: after.disclosures, erased: expect.arrayContaining(ALL) });
    expect(after.leaf_matches).toBe(true);
    const held = await everything();
    for (const value of ['ann-user', 'ann-session', 'ann-case', 'ann-customer', '1111']) expect(held).not.toContain(value);
    const { rows } = await service.services.db.query('SELECT 1 FROM assessment_texts WHERE org_id = $1', [uuidText(org.uuid)]);
    expect(rows).toEqual([]);
    // Nor the salts by which they could be guessed.
    for (const text of before.disclosures.filter((each: string) => !after.disclosures.includes(each)))
      expect(held).not.toContain(JSON.parse(text)[0]);
  });

  test('leaves nothing by which lists could tell that the value was in its block', async () => {
    const { db } = service.services;
    const { event_id: id } = await assess();
    const known = async () => (await db.query('SELECT block FROM event_blocks WHERE org_id = $1', [uuidText(org.uuid)])).rows;
    await db.query(`INSERT INTO event_blocks SELECT $1, block, $2, $2, now(), now(), '', '' FROM generate_series(0, 1) block`, [
      uuidText(org.uuid),
      uuidText(newUuid()),
    ]);
    await redact({ event_id: id, fields: ['subject'], basis: 'b' });
    expect(await known()).toEqual([{ block: '1' }]);
  });

  test('is itself in the trail, with who did it and why, and under the same log', async () => {
    const { event_id: id } = await assess();
    const { body } = await redact({ event_id: id, fields: ['subject'], basis: 'asked for' });
    const { body: told } = await get(`/v1/events/${body.redaction_event_id}`);
    expect(told).toMatchObject({
      kind: 'audit.redacted',
      actor: { type: 'api_key' },
      data: { event_id: id, sequence: body.sequence, fields: ['subject'], basis: 'asked for' },
    });
    const { body: proof } = await get(`/v1/events/${id}/proof`);
    const { body: keys } = await get('/v1/audit/keys');
    const { text } = openNote(proof.checkpoint, [parseVerifier(keys.keys[0].verifier_key)!])!;
    const { size, root } = parseCheckpoint(text)!;
    const hashes = proof.hashes.map((hash: string) => Buffer.from(hash, 'base64'));
    expect(isIncluded(leafHash(Buffer.from(proof.envelope)), proof.leaf_index, size, hashes, root)).toBe(true);
  });

  test.each(['subject', 'external_id', 'metadata', 'previews'])(
    'of %s takes the kept text along, which repeats it, and says so',
    async (field) => {
      await keepTexts();
      const { event_id: id } = await assess();
      const { body: before } = await get(`/v1/events/${id}/proof`);
      const { status, body } = await redact({ event_id: id, fields: ['actor.ip', field], basis: 'b' });
      expect([status, body.fields]).toEqual([201, ['actor.ip', field, 'text']]);
      expect((await get(`/v1/events/${body.redaction_event_id}`)).body.data.fields).toEqual(body.fields);
      const { body: after } = await get(`/v1/events/${id}/proof`);
      expect([after.envelope, after.erased.toSorted()]).toEqual([before.envelope, body.fields.toSorted()]);
      const { rows } = await service.services.db.query('SELECT 1 FROM assessment_texts WHERE org_id = $1', [uuidText(org.uuid)]);
      expect(rows).toEqual([]);
    },
  );

  test('of the address leaves the kept text, which does not hold it', async () => {
    await keepTexts();
    const { event_id: id } = await assess();
    const { body } = await redact({ event_id: id, fields: ['actor.ip'], basis: 'b' });
    expect(body.fields).toEqual(['actor.ip']);
    const { rows } = await service.services.db.query('SELECT 1 FROM assessment_texts WHERE org_id = $1', [uuidText(org.uuid)]);
    expect(rows).toHaveLength(1);
  });

  test('of previews takes the names of tools’ arguments out of where findings and a shadow’s are', async () => {
    const candidate = { mode: 'monitor', detectors: { pii: { entities: { credit_card: 'ignore', email: 'flag' } } } };
    const put = await service.request('PUT', '/v1/policy/shadow', {
      key: org.keys.admin,
      body: { policy: candidate, sample_rate: 1, expires_at: new Date(Date.now() + 86_400_000).toISOString() },
    });
    expect(put.status).toBe(200);
    const card = { 'ann@names.example': 'My card is 4111 1111 1111 1111.' };
    const { event_id: id } = await assess({ input: 'Pay.', tool_calls: [{ name: 'pay', arguments: card }] });
    const event = async () => (await get(`/v1/events/${id}`)).body.data;
    const { findings, shadow } = await event();
    const below = '/tool_calls/0/arguments/ann@names.example';
    expect([findings[0].location.pointer, shadow.removed[0].location.pointer]).toEqual([below, below]);
    const { body: before } = await get(`/v1/events/${id}/proof`);
    expect((await redact({ event_id: id, fields: ['previews'], basis: 'b' })).status).toBe(201);
    const left = await event();
    const at = '/tool_calls/0/arguments';
    expect([left.findings[0].location.pointer, left.shadow.removed[0].location.pointer]).toEqual([at, at]);
    expect(await everything()).not.toContain('ann@names');
    expect((await get(`/v1/events/${id}/proof`)).body.envelope).toBe(before.envelope);
  });

  test('can follow another one, field by field', async () => {
    const { event_id: id } = await assess();
    const { body: before } = await get(`/v1/events/${id}/proof`);
    for (const field of ['metadata', 'actor.ip', 'subject'])
      expect((await redact({ event_id: id, fields: [field], basis: 'b' })).status).toBe(201);
    const { body: after } = await get(`/v1/events/${id}/proof`);
    expect([after.envelope, after.erased.toSorted()]).toEqual([before.envelope, ['actor.ip', 'metadata', 'subject']]);
    expect(before.disclosures).toEqual(expect.arrayContaining(after.disclosures));
  });

  test('is not needed for a kept text to be in no proof, though it is committed to', async () => {
    await keepTexts();
    const { event_id: id } = await assess();
    const { text, body } = await get(`/v1/events/${id}/proof`);
    expect(text).not.toContain('says Ann');
    expect(body.disclosures.map((each: string) => JSON.parse(each)[1])).not.toContain('text');
    expect(JSON.parse(body.envelope).private).toHaveLength(body.disclosures.length + 1);
  });

  test('leaves an event that is read as before, and says what is gone', async () => {
    const { id, event_id: eventId } = await assess();
    await redact({ event_id: eventId, fields: ['actor.ip', 'subject', 'external_id', 'metadata', 'previews'], basis: 'b' });
    const { body: event } = await get(`/v1/events/${eventId}`);
    expect(event).toMatchObject({ erased: expect.arrayContaining(['subject']), actor: { ip: null } });
    const { body: assessment } = await get(`/v1/assessments/${id}`);
    expect(assessment).toMatchObject({ subject: null, external_id: null, metadata: {}, outcome: 'flagged' });
    expect(assessment.findings.map(({ preview }: { preview: unknown }) => preview)).toEqual([null]);
    const [events, assessments] = await Promise.all([get('/v1/events'), get('/v1/assessments')]);
    expect(events.body.data[1]).toEqual(event);
    expect(assessments.body.data).toEqual([assessment]);
    for (const filter of ['subject=ann-user', 'external_id=ann-case', 'q=ann-'])
      expect((await get(`/v1/events?${filter}`)).body.data).toEqual([]);
  });

  test('does not keep a policy from being simulated over the event, nor the request from being answered again', async () => {
    await keepTexts();
    const headers = { 'idempotency-key': 'k' };
    const { body: first } = await service.request('POST', '/v1/assessments', { key: org.keys.live, body: INFERENCE, headers });
    await redact({ event_id: first.event_id, fields: ALL, basis: 'b' });
    const { body: again } = await service.request('POST', '/v1/assessments', { key: org.keys.live, body: INFERENCE, headers });
    expect(again).toMatchObject({ id: first.id, redacted: first.redacted, subject: null });
    const { body: begun } = await service.request('POST', '/v1/policy/simulate', {
      key: org.keys.admin,
      body: { policy: { mode: 'monitor' }, sample: { limit: 10 } },
    });
    await vi.waitFor(async () => {
      const { body } = await get(`/v1/policy/simulations/${begun.id}`);
      expect(body).toMatchObject({ state: 'succeeded', progress: { done: 1 } });
    }, soon);
  });

  test('of who signed in takes the user out of the event of his session', async () => {
    const { session } = await signIn({ ...service, organization: org }, 'viewer');
    const { body: list } = await get('/v1/events?kind=session.started');
    const [{ id, data }] = list.data;
    expect(JSON.stringify(data)).toContain(session.id);
    const { body: before } = await get(`/v1/events/${id}/proof`);
    expect((await redact({ event_id: id, fields: ['data', 'actor.id', 'actor.ip'], basis: 'b' })).status).toBe(201);
    const { body: event } = await get(`/v1/events/${id}`);
    expect(event).toMatchObject({ data: {}, actor: { type: 'user', id: null, ip: null } });
    expect((await get(`/v1/events/${id}/proof`)).body.envelope).toBe(before.envelope);
  });

  test('of what a probe decided takes the subject out of what the probe reported, too', async () => {
    const reported = {
      id: 'p-1',
      occurred_at: new Date().toISOString(),
      outcome: 'blocked',
      score: 1,
      subject: { user: 'ann-user' },
      attributes: { customer: 'ann-customer' },
    };
    await service.request('POST', '/api/svc/probe/telemetry', { key: org.keys.live, body: { events: [reported] } });
    const { body: list } = await get('/v1/events?kind=inference.blocked');
    expect(await everything()).toContain('ann-user');
    const { disclosures } = (await get(`/v1/events/${list.data[0].id}/proof`)).body;
    const there = disclosures.map((text: string) => JSON.parse(text)[1]).filter((name: string) => name !== 'data');
    expect((await redact({ event_id: list.data[0].id, fields: there, basis: 'b' })).status).toBe(201);
    expect(await everything()).not.toContain('ann-');
  });

  test('takes back an export that holds the value', async () => {
    const { event_id: id } = await assess();
    const { body: made } = await service.request('POST', '/v1/exports', { key: org.keys.admin, body: { format: 'jsonl' } });
    const stateOf = async () => (await get(`/v1/exports/${made.id}`)).body.state;
    await expect.poll(stateOf, soon).toBe('ready');
    await redact({ event_id: id, fields: ['subject'], basis: 'b' });
    expect(await stateOf()).toBe('expired');
    expect((await get(`/v1/exports/${made.id}/bundle`)).status).not.toBe(200);
  });

  test('changes the body of a delivery that is still to come, which is signed as it is sent', async () => {
    const receiver = await startReceiver();
    receiver.answer(500);
    const { body: hook } = await service.request('POST', '/v1/webhooks', {
      key: org.keys.live,
      body: { url: receiver.url, events: ['inference.flagged'] },
    });
    const { event_id: id } = await assess();
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), soon);
    await redact({ event_id: id, fields: ['subject', 'previews'], basis: 'b' });
    receiver.answer(200);
    aheadMs += 3_600_000;
    await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(1), soon);
    const [first, second] = receiver.received;
    expect(first!.body).toContain('ann-user');
    expect(second!.body).not.toMatch(/ann-user|1111/);
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
    const webhook = new Webhook(hook.signing_secret);
    vi.setSystemTime(Number(second!.headers['webhook-timestamp']) * 1_000);
    expect(webhook.verify(second!.body, second!.headers as Record<string, string>)).toMatchObject({ id });
    vi.useRealTimers();
    await receiver.close();
  });

  test('that is asked for again with the same key is done once', async () => {
    const { event_id: id } = await assess();
    const body = { event_id: id, fields: ['subject'], basis: 'b' };
    const first = await redact(body, org.keys.admin, { 'idempotency-key': 'one' });
    const again = await redact(body, org.keys.admin, { 'idempotency-key': 'one' });
    expect([again.status, again.body, again.headers.get('idempotency-replayed')]).toEqual([201, first.body, 'true']);
    expect((await get('/v1/events?kind=audit.redacted')).body.data).toHaveLength(1);
  });

  test('that comes twice at the same time is done once', async () => {
    const { event_id: id } = await assess();
    const answers = await Promise.all([1, 2, 3].map(() => redact({ event_id: id, fields: ['subject'], basis: 'b' })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    expect((await get('/v1/events?kind=audit.redacted')).body.data).toHaveLength(1);
  });
});

describe('a redaction is refused', () => {
  test.each([
    [{ fields: [] }, ['/fields']],
    [{ fields: ['nothing'] }, ['/fields/0']],
    [{ fields: ['subject', 'subject'] }, ['/fields/1']],
    [{ fields: ['subject', 'data'] }, ['/fields/1']],
    [{ fields: ['subject'], basis: '' }, ['/basis']],
    [{ fields: ['subject'], basis: 'x'.repeat(501) }, ['/basis']],
  ])('for %j, by its places', async (wrong, pointers) => {
    const { event_id: id } = await assess();
    const answer = await redact({ event_id: id, basis: 'b', ...wrong });
    expect([answer.status, pointersOf(answer)]).toEqual([400, pointers]);
  });

  test('for the data of events that tell how the service decides', async () => {
    await keepTexts();
    const { body } = await get('/v1/events?kind=policy.updated');
    const answer = await redact({ event_id: body.data[0].id, fields: ['data'], basis: 'b' });
    expect([answer.status, pointersOf(answer)]).toEqual([400, ['/fields/0']]);
  });

  test('for what is not there, or not any more, and then erases nothing', async () => {
    const { event_id: id } = await assess({ input: 'Hello', subject: { user: 'ann-user' } });
    const absent = await redact({ event_id: id, fields: ['subject', 'external_id'], basis: 'b' });
    expect([absent.status, pointersOf(absent)]).toEqual([409, ['/fields/1']]);
    expect((await get(`/v1/events/${id}/proof`)).body.erased).toEqual([]);
    await redact({ event_id: id, fields: ['subject'], basis: 'b' });
    const twice = await redact({ event_id: id, fields: ['subject'], basis: 'b' });
    expect([twice.status, pointersOf(twice), twice.text]).toEqual([
      409,
      ['/fields/0'],
      expect.stringContaining('erased already'),
    ]);
  });

  test('for an event of another organization, as if it did not exist', async () => {
    const { event_id: id } = await assess();
    const other = await service.createOrganization();
    const foreign = await redact({ event_id: id, fields: ['subject'], basis: 'b' }, other.keys.admin);
    const missing = await redact({ event_id: `evt_${'0'.repeat(26)}`, fields: ['subject'], basis: 'b' }, other.keys.admin);
    expect([foreign.status, { ...foreign.body.error, request_id: '' }]).toEqual([404, { ...missing.body.error, request_id: '' }]);
    expect((await get(`/v1/events/${id}`)).body.data.subject.user).toBe('ann-user');
  });

  test('for an event that was changed in the database, which it would hide', async () => {
    const { event_id: id } = await assess();
    await service.services.audit.catchUp();
    await service.services.db.query(`UPDATE events SET model = 'another' WHERE org_id = $1 AND id = $2`, [
      uuidText(org.uuid),
      uuidText(parseId('evt', id)!),
    ]);
    const { status, body } = await redact({ event_id: id, fields: ['subject'], basis: 'b' });
    expect([status, body.error.code]).toEqual([409, 'conflict']);
    expect(await everything()).toContain('ann-user');
  });

  test('where it would change the leaf, and then changes nothing', async () => {
    // Columns and data of one event that say different things: nobody writes such a row, and whoever did must not lose his proof by it.
    const actor = { type: 'system', id: null, ip: null } as const;
    const event = changeEvent(org.uuid, 'inference.allowed', actor, Date.now(), { subject: { user: 'another' }, findings: [] });
    await service.services.journal.append({ ...event, id: newUuid(), subjectUser: 'ann-user' });
    const { body } = await get('/v1/events?kind=inference.allowed');
    const { body: before } = await get(`/v1/events/${body.data[0].id}/proof`);
    const { status } = await redact({ event_id: before.event_id, fields: ['subject'], basis: 'b' });
    const { body: after } = await get(`/v1/events/${before.event_id}/proof?size=${before.tree_size}`);
    expect([status, after]).toEqual([409, before]);
  });
});
