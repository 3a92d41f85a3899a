// Finds links that do harm when they are shown, loaded or followed: data carried out, hidden destinations, imitated hosts.

import type { View } from '../../text/view.ts';
import type { AnchorHits, Candidate, DetectContext, Detector } from '../../types.ts';
import { addressKind, isLookalike } from './hosts.ts';
import { linkUseAt, type LinkUse } from './markup.ts';
import { payloadOf } from './payload.ts';
import { isHostIn, registeredDomain, URL_CHARS_MAX, urlAt, type UrlSpan } from './url.ts';

const ANCHORS = ['://', 'javascript:', 'vbscript:', 'data:text/html'] as const;
const URL_ANCHOR = 0;
const HITS_PER_CLOCK_READ = 64;
const SCRIPT_CHARS_MAX = 200;
/** Ways to speak of a host that fetch or open what it answers. */
const SCHEMES = new Set(['http', 'https', 'ftp', 'ws', 'wss']);

type Verdict = Pick<Candidate, 'type' | 'score' | 'severity' | 'explanation'>;

/** Builds the detector. `allowHosts`: lower-case hosts that are never reported, nor are their subdomains. */
export function createLinksDetector(allowHosts: readonly string[]): Detector {
  return {
    id: 'links',
    version: '1.1.0',
    anchors: ANCHORS,
    reads: ['visible'],
    detect(view, hits, ctx) {
      if (hits.ends.length > 0) readLinks(view, hits, ctx, allowHosts);
    },
  };
}

/** Without exceptions for any host. */
export const detector = createLinksDetector([]);

function readLinks({ text }: View, hits: AnchorHits, ctx: DetectContext, allowHosts: readonly string[]): void {
  // Anchors inside a link that has been read are skipped: `://` over and over costs one look, not one each.
  let readTo = 0;
  for (let i = 0; i < hits.ends.length; i++) {
    if (i % HITS_PER_CLOCK_READ === HITS_PER_CLOCK_READ - 1 && ctx.expired()) return;
    const rule = hits.rules[i]!;
    const start = hits.ends[i]! - ANCHORS[rule]!.length;
    if (start < readTo) continue;
    readTo = rule === URL_ANCHOR ? readUrl(text, start, ctx, allowHosts) : readScript(text, start, ctx);
  }
}

/** Returns where reading goes on. */
function readUrl(text: string, colon: number, ctx: DetectContext, allowHosts: readonly string[]): number {
  const url = urlAt(text, colon);
  if (url === null) return colon + ANCHORS[URL_ANCHOR].length;
  if (url.end - colon >= URL_CHARS_MAX) ctx.truncated();
  if (!SCHEMES.has(url.scheme) || isHostIn(url.host, allowHosts)) return url.end;
  const use = linkUseAt(text, url.start, url.end);
  const verdict = worstOf(url, use);
  if (verdict !== null) report(ctx, verdict, url.start, url.end, `${url.scheme}://…`);
  return url.end;
}

/** A script where a link's destination stands; "javascript: the good parts" in prose is none. */
function readScript(text: string, start: number, ctx: DetectContext): number {
  const before = text.slice(Math.max(0, start - 12), start);
  if (!/(?:\]\(<?|\b(?:href|src|action|formaction)\s*=\s*["']?|^<|\s<)$/i.test(before)) return start + 1;
  const length = /^[^\s"<>]*/.exec(text.slice(start, start + SCRIPT_CHARS_MAX))![0].length;
  report(ctx, SCRIPT, start, start + length, `${text.slice(start, start + 4).toLowerCase()}…`);
  return start + length;
}

const SCRIPT: Verdict = {
  type: 'script_url',
  score: 0.9,
  severity: 'high',
  explanation: 'The destination of a link is a script that runs when it is opened.',
};

function report(ctx: DetectContext, verdict: Verdict, start: number, end: number, preview: string): void {
  ctx.report({ category: 'output.unsafe_link', method: 'heuristic', start, end, preview, ...verdict });
}

function worstOf(url: UrlSpan, use: LinkUse): Verdict | null {
  let worst: Verdict | null = null;
  for (const judge of JUDGES) {
    const verdict = judge(url, use);
    if (verdict !== null && (worst === null || verdict.score > worst.score)) worst = verdict;
  }
  return worst;
}

const JUDGES: readonly ((url: UrlSpan, use: LinkUse) => Verdict | null)[] = [
  judgePayload,
  judgeHost,
  judgeAddress,
  judgeUserinfo,
  judgeShownText,
];

function judgePayload(url: UrlSpan, { isImage }: LinkUse): Verdict | null {
  const payload = payloadOf(url);
  if (payload === 0 || (payload === 1 && !isImage)) return null;
  const how = isImage ? 'An image is loaded without a click, and its address' : 'The address of a link';
  return {
    type: 'data_exfiltration',
    score: isImage ? (payload === 2 ? 0.9 : 0.6) : 0.55,
    severity: isImage ? 'high' : 'medium',
    explanation: `${how} carries data that its host would receive.`,
  };
}

function judgeHost({ host }: UrlSpan): Verdict | null {
  if (!isLookalike(host)) return null;
  return {
    type: 'lookalike_host',
    score: 0.9,
    severity: 'high',
    explanation: 'The host imitates a Latin name with letters of another script.',
  };
}

function judgeAddress({ host }: UrlSpan): Verdict | null {
  switch (addressKind(host)) {
    case 'metadata':
      return {
        type: 'metadata_host',
        score: 0.85,
        severity: 'high',
        explanation: 'The address is where cloud machines hand out their credentials.',
      };
    case 'encoded':
      return {
        type: 'encoded_host',
        score: 0.85,
        severity: 'high',
        explanation: 'The host is a number that hides its address from readers.',
      };
    case 'public':
      return {
        type: 'ip_host',
        score: 0.55,
        severity: 'low',
        explanation: 'The host is a bare public address instead of a name.',
      };
    case null:
      return null;
  }
}

function judgeUserinfo({ userinfo, host }: UrlSpan): Verdict | null {
  if (userinfo === null) return null;
  const imitates =
    /^[\w-]+(?:\.[\w-]+)+$/.test(userinfo.split(':', 1)[0]!) &&
    registeredDomain(userinfo.toLowerCase()) !== registeredDomain(host);
  if (imitates)
    return {
      type: 'userinfo_in_url',
      score: 0.85,
      severity: 'high',
      explanation: 'A host name before the @ hides the real host behind it.',
    };
  return { type: 'userinfo_in_url', score: 0.5, severity: 'low', explanation: 'The link signs in with credentials of its own.' };
}

/** What a reader takes for an address: with a scheme, `www.`, or a well-known ending. `README.md` and `node.js` are none. */
const SHOWN_ADDRESS =
  /^\s*(?:(https?:\/\/)|(?=www\.)|(?=[\w.-]+\.(?:com|org|net|edu|gov|bank|example|info|biz|eu|uk|de|fr|es|it|nl|ch|at|ca|au|jp|br|in)\b(?![.-]?\w)))([\w-]+(?:\.[\w-]+)+)/i;

/** Host names are shorter; what is longer is a sentence. */
const SHOWN_CHARS_MAX = 96;

function judgeShownText({ host }: UrlSpan, { shown }: LinkUse): Verdict | null {
  const address = shown === null ? null : SHOWN_ADDRESS.exec(shown.slice(0, SHOWN_CHARS_MAX));
  if (address === null || registeredDomain(address[2]!.toLowerCase()) === registeredDomain(host)) return null;
  return {
    type: 'hidden_destination',
    score: address[1] === undefined ? 0.65 : 0.8,
    severity: 'high',
    explanation: 'The link shows one address and leads to another.',
  };
}
