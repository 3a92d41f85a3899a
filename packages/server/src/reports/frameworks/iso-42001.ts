// ISO/IEC 42001:2023, Annex A: the controls on operation and on event logs. Their text is sold by ISO and is not repeated here.

import type { Framework } from './framework.ts';

const CHOSEN = 'Organizations with an AI management system whose statement of applicability has the control.';
const BINDS = ['organizations with an AI management system'];

export const ISO_42001: Framework = {
  id: 'iso-42001',
  title: 'ISO/IEC 42001, AI management system',
  version: 'ISO/IEC 42001:2023, Annex A',
  url: 'https://www.iso.org/standard/42001',
  about:
    'The report lists what this log holds for two controls of Annex A, told in words of our own: the standard’s text is what counts, and is sold by ISO. A management system is more than its logs; this is no certification and no audit.',
  dates: 'Published in December 2023. It has no date of application.',
  provisions: [
    {
      id: 'a-6-2-6',
      reference: 'A.6.2.6',
      title: 'Operation and monitoring',
      binds: BINDS,
      requirement:
        'What the ongoing operation of the AI system needs is defined and documented, the monitoring of the system and its performance among it.',
      applies: CHOSEN,
      evidence: [
        'inferences',
        'telemetry',
        'findings',
        'drift',
        'drift_acknowledged',
        'policies',
        'policy_changes',
        'probe_changes',
      ],
      needs: ['inferences', 'telemetry'],
      gaps: [
        'telemetry_rejected',
        'no_inferences',
        'hours_without_events',
        'probes_silent',
        'coverage_incomplete',
        'detector_faults',
        'detectors_off',
        'monitor_mode',
        'undecided',
        'drift_unacknowledged',
      ],
      limit: 'Repairs, updates and support of the system are not recorded here, beyond changes of the policy.',
      note: null,
    },
    {
      id: 'a-6-2-8',
      reference: 'A.6.2.8',
      title: 'Event logs',
      binds: BINDS,
      requirement:
        'It is settled when, over the life of the AI system, its events are logged: at least while the system is in use.',
      applies: CHOSEN,
      evidence: [
        'inferences',
        'telemetry',
        'log',
        'kept',
        'checkpoints',
        'anchoring',
        'prunings',
        'redactions',
        'exports',
        'access_changes',
      ],
      needs: ['inferences', 'telemetry'],
      gaps: [
        'rows_missing',
        'past_period',
        'no_inferences',
        'hours_without_events',
        'telemetry_rejected',
        'log_behind',
        'kept_short',
        'origin_restored',
        'no_witness',
      ],
      limit: 'That it is settled when events are logged is a document of the organization, and is not kept here.',
      note: 'How long logs are kept is for the organization to decide; this service goes by the policy’s data.retention_days.',
    },
  ],
};
