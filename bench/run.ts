// Runs every benchmark, one after the other, and prints their tables.

import { cpus } from 'node:os';
import { benchAccess } from './access.ts';
import { benchAssessments } from './assessments.ts';
import { benchDeliveries } from './deliveries.ts';
import { benchDrift } from './drift.ts';
import { benchEngine } from './engine.ts';
import { benchExport } from './export.ts';
import { benchLimits } from './limits.ts';
import { benchSimulate } from './simulate.ts';
import { benchStreams } from './streams.ts';
import { benchTelemetry } from './telemetry.ts';
import { benchTrail } from './trail.ts';

console.log(
  `${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown CPU'}`,
);
benchEngine();
await benchAccess();
await benchLimits();
await benchAssessments();
await benchStreams();
await benchSimulate();
await benchDeliveries();
await benchTelemetry();
await benchTrail();
await benchExport();
await benchDrift({ isQuick: true });
