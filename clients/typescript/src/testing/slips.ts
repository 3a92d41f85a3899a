// Slips that the compiler must find in the code of callers, and what it must take. Never run: `tsc -p clients/typescript/tsconfig.core.json`
// fails for a slip that it does not find.

import { ApiError, RateLimitError, Svc, verifyWebhook, type Assessment, type Event, type Page } from '../index.ts';

export async function slips(svc: Svc): Promise<void> {
  // Bodies are closed.
  // @ts-expect-error -- a member that there is not
  await svc.assess({ inptu: 'Hello' });
  // @ts-expect-error -- a member of another type
  await svc.assess({ input: 1 });
  // @ts-expect-error -- a role that there is not
  await svc.assess({ input: [{ role: 'robot', content: 'Hello' }] });
  // @ts-expect-error -- metadata are texts
  await svc.assess({ input: 'Hello', metadata: { count: 1 } });
  // @ts-expect-error -- a member that is needed
  await svc.webhooks.create({ url: 'https://example.com' });
  // @ts-expect-error -- a kind of event that there is not
  await svc.webhooks.create({ url: 'https://example.com', events: ['inference.refused'] });
  // @ts-expect-error -- a detector that there is not
  await svc.policy.put({ detectors: { pij: {} } });
  // @ts-expect-error -- a filter that there is not
  svc.events.list({ kinds: 'inference.blocked' });
  // @ts-expect-error -- a query that is needed
  await svc.audit.proveConsistency();
  // @ts-expect-error -- an id that is needed
  await svc.events.get();
  // @ts-expect-error -- a stream is opened with a question
  svc.guardStream(['text'], { output: 'Hello' });
  // @ts-expect-error -- a source of something else than text
  svc.guardStream([1, 2], { input: 'Hello' });

  // Options are closed.
  // @ts-expect-error -- no key
  void new Svc({});
  // @ts-expect-error -- the service calls it another name
  void new Svc({ apiKey: 'svc_live_x', timeout: 1 });
  // @ts-expect-error -- no such option
  await svc.assess({ input: 'Hello' }, { retries: 1 });
  // @ts-expect-error -- a delivery without its headers
  await verifyWebhook({ body: '' }, { secret: 'whsec_x' });

  // Answers say what they may lack.
  const assessment: Assessment = await svc.assess({ input: 'Hello' });
  // @ts-expect-error -- null in test mode
  assessment.event_id.slice(4);
  // @ts-expect-error -- null where nothing was redacted
  void assessment.redacted.input;
  // @ts-expect-error -- the outcome is a text
  void (assessment.outcome === 1);
  // @ts-expect-error -- a page is a promise first
  void svc.events.list().data;
}

export async function fine(svc: Svc, signal: AbortSignal, outcome: string): Promise<void> {
  // Answers are open: what a later service says compiles today.
  const assessment = await svc.assess({ input: [{ role: 'user', content: 'Hello' }] }, { signal, idempotencyKey: 'mine' });
  if (assessment.outcome === 'blocked' || assessment.outcome === 'new in 2030') return;
  const open: Assessment['outcome'] = outcome;
  const page: Page<Event> = await svc.events.list({ kind: 'inference.blocked' });
  for await (const event of svc.events.list()) void (event.kind === open || event.sequence > page.data.length);
  const unknown: unknown = await svc.request('GET', '/v1/usage');
  void unknown;
  // What is known to be undefined counts as left out.
  void new Svc({ apiKey: 'svc_live_x', orgId: undefined, timeoutMs: undefined });
  try {
    await svc.policy.get();
  } catch (err) {
    if (err instanceof RateLimitError) void (err.retryAfter ?? 60).toFixed();
    else if (err instanceof ApiError) void err.details[0]?.pointer.startsWith('/');
  }
}
