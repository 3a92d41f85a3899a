// Before any browser opens: the pages as they are served.

import { buildDashboard } from '../../../scripts/build-dashboard.mjs';

export default function setup(): void {
  const fault = buildDashboard();
  if (fault !== null) throw new Error(`The dashboard could not be built:\n${fault}`);
}
