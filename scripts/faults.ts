// The kill drill in full: `npm run faults` (10 000 assessments, 20 kills), or `npm run faults -- <assessments> <kills>`.

import { killDrill } from '../packages/server/src/testing/kill-drill.ts';

const [assessments = 10_000, kills = 20] = process.argv.slice(2).map(Number);
const result = await killDrill({ assessments, kills });
console.log(
  `${result.kills} kills: ${result.answered} assessments were answered, ${result.lost} of them are lost; ${result.events} events, last sequence ${result.lastSequence}.`,
);
process.exitCode = result.lost === 0 && result.events === result.lastSequence ? 0 : 1;
