// The fault drills in full: `npm run faults` runs both; `npm run faults -- <assessments> <kills>` the one of assessments (10 000, 20 kills), and
// `npm run faults -- deliveries <kills>` the one of deliveries (1 000 kills of workers).

import { deliveryDrill } from '../packages/server/src/testing/delivery-drill.ts';
import { killDrill } from '../packages/server/src/testing/kill-drill.ts';

const VIOLATIONS_SHOWN_MAX = 20;
// For each 1 000 kills of workers.
const NODE_KILLS = 20;
const DATABASE_KILLS = 10;

const [first, ...rest] = process.argv.slice(2);
const results =
  first === undefined
    ? [await drillAssessments(), await drillDeliveries()]
    : [
        first === 'deliveries'
          ? await drillDeliveries(...rest.map(Number))
          : await drillAssessments(Number(first), ...rest.map(Number)),
      ];
process.exitCode = results.every(Boolean) ? 0 : 1;

async function drillAssessments(assessments = 10_000, kills = 20): Promise<boolean> {
  const result = await killDrill({ assessments, kills });
  console.log(
    `${result.kills} kills: ${result.answered} assessments were answered, ${result.lost} of them are lost; ${result.events} events, last sequence ${result.lastSequence}.`,
  );
  return result.lost === 0 && result.events === result.lastSequence;
}

async function drillDeliveries(workerKills = 1_000): Promise<boolean> {
  const share = workerKills / 1_000;
  const result = await deliveryDrill({
    workerKills,
    nodeKills: Math.ceil(NODE_KILLS * share),
    databaseKills: Math.ceil(DATABASE_KILLS * share),
  });
  const { violations, changedLate, duplicates } = result;
  console.log(
    `${result.workerKills} kills of workers, ${result.nodeKills} of nodes, ${result.databaseKills} of the database: ${result.answered} events were answered and ${result.events} recorded; of ${result.healthyDeliveries} deliveries to healthy endpoints ${violations.length === 0 ? 'none is lost' : 'some are not as promised'}.`,
  );
  console.log(
    `${result.receptions} requests were received, ${duplicates} of them again after one of ${result.interrupted} interrupted attempts; a frozen worker held ${result.frozen} deliveries and changed ${changedLate} of them too late.`,
  );
  for (const violation of violations.slice(0, VIOLATIONS_SHOWN_MAX)) console.log(`  ${violation}`);
  return violations.length === 0 && changedLate === 0;
}
