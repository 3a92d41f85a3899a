import { test } from 'vitest';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { uuidText } from '../ids.ts';
import { startTestService } from '../testing/service.ts';
import { DriftWorker } from './worker.ts';
test.each(['none', 'day'])('perf %s', { timeout: 300000 }, async (season) => {
  const service = await startTestService();
  await service.services.drift.close();
  await service.request('PUT', '/v1/policy', { key: service.organization.keys.admin, body: { drift: { season } } });
  const { db, journal, clock, log } = service.services;
  const org = uuidText(service.organization.uuid);
  const BATCHES = 800;
  const seq = Number((await db.query('SELECT last_sequence FROM event_counters WHERE org_id=$1', [org])).rows[0]!['last_sequence']);
  await db.query(`INSERT INTO events (org_id, sequence, id, kind, occurred_at, recorded_at, actor_type, data)
    SELECT $1, $2::int8 + b, md5('b' || b)::uuid, 'telemetry.received', now(), now(), 'system', '{"probe_id":"p","group":"g' || (b % 4) || '"}' FROM generate_series(1, $3::int) b`, [org, seq, BATCHES]);
  for (let from = 1; from <= BATCHES; from += 50)
  await db.query(`INSERT INTO telemetry (org_id, batch_id, position, mode, probe_id, event_id, occurred_at, received_at, model, model_version, finish_reason, outcome, score, categories, latency_ms, time_to_first_token_ms, input_tokens, output_tokens)
    SELECT $1, md5('b' || b)::uuid, i, 'live', 'p', b || '-' || i, now() - interval '3 day' + (b * 500 + i) * interval '0.5 s', now(), 'gpt-' || (b % 3), '2026-01', 'stop',
      CASE WHEN random() < .05 THEN 'flagged' ELSE 'allowed' END, random(), CASE WHEN random() < .05 THEN ' data.pii ' END, exp(6 + random()), exp(4 + random()), (100 + random() * 100)::int, (100 + random() * 1000)::int
      FROM generate_series($2::int, $2::int + 49) b, generate_series(0, 499) i`, [org, from]);
  await db.query('UPDATE event_counters SET last_sequence = last_sequence + $2 WHERE org_id = $1', [org, BATCHES]);
  await db.query('ANALYZE telemetry');
  const worker = new DriftWorker({ db, journal, clock, log });
  const delay = monitorEventLoopDelay({ resolution: 1 }); delay.enable();
  const cpu = process.cpuUsage();
  const t = performance.now();
  await worker.catchUp();
  const ms = performance.now() - t;
  const used = process.cpuUsage(cpu);
  console.log(`${season}: ${BATCHES * 500} rows in ${ms.toFixed(0)} ms = ${(BATCHES * 500 / ms * 1000).toFixed(0)}/s; cpu ${((used.user + used.system) / 1000).toFixed(0)} ms; loop delay p50 ${(delay.percentile(50) / 1e6).toFixed(1)} p99 ${(delay.percentile(99) / 1e6).toFixed(1)} max ${(delay.max / 1e6).toFixed(1)} ms`);
  await worker.close();
  await service.close();
});
