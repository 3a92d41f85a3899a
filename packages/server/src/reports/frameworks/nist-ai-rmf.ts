// NIST AI 100-1, Artificial Intelligence Risk Management Framework 1.0: the subcategories that a log and its monitoring speak to.

import type { Framework } from './framework.ts';

const VOLUNTARY = 'Whoever chooses to follow the framework, which is voluntary, to the extent that their profile says.';
const BINDS = ['organizations that follow the framework'];

export const NIST_AI_RMF: Framework = {
  id: 'nist-ai-rmf',
  title: 'NIST AI Risk Management Framework',
  version: 'AI RMF 1.0 (NIST AI 100-1, January 2023)',
  url: 'https://doi.org/10.6028/NIST.AI.100-1',
  about:
    'The framework is voluntary and asks for outcomes, most of which are of people and processes. The report lists what this log holds that can serve as evidence for some of its subcategories. It covers none of them alone.',
  dates: 'Published on 26 January 2023. It has no date of application.',
  provisions: [
    {
      id: 'govern-1-4',
      reference: 'GOVERN 1.4',
      title: 'Risk management by transparent policies and controls',
      binds: BINDS,
      requirement:
        'The process of risk management and its outcomes are established through transparent policies, procedures and other controls, based on the organization’s priorities of risk.',
      applies: VOLUNTARY,
      evidence: ['policies', 'policy_changes', 'policy_trials', 'access_changes', 'checkpoints', 'anchoring'],
      needs: ['policies'],
      gaps: ['past_period', 'monitor_mode', 'on_error_allow', 'detectors_off', 'no_witness'],
      limit: 'The organization’s other policies, its procedures and its priorities are not kept here.',
      note: 'Each version of the governance policy is kept with who made it and when.',
    },
    {
      id: 'govern-4-3',
      reference: 'GOVERN 4.3',
      title: 'Testing, identification of incidents, sharing of information',
      binds: BINDS,
      requirement:
        'Organizational practices are in place that make it possible to test AI, to identify incidents and to share information.',
      applies: VOLUNTARY,
      evidence: ['deliveries', 'findings', 'policy_trials', 'endpoint_changes', 'exports'],
      needs: ['policy_trials', 'deliveries', 'exports'],
      gaps: ['endpoints_paused'],
      limit: 'The practices themselves are the organization’s, and are not recorded here.',
      note: 'Here are trials of policies, findings, and where events were sent. Findings alone show no practice.',
    },
    {
      id: 'measure-2-4',
      reference: 'MEASURE 2.4',
      title: 'Monitoring in production',
      binds: BINDS,
      requirement:
        'The functionality and behaviour of the AI system and its components, as identified in the MAP function, are monitored in production.',
      applies: VOLUNTARY,
      evidence: ['inferences', 'telemetry', 'findings', 'drift', 'probe_changes'],
      needs: ['inferences', 'telemetry'],
      gaps: [
        'telemetry_rejected',
        'no_inferences',
        'hours_without_events',
        'probes_silent',
        'coverage_incomplete',
        'detector_faults',
        'undecided',
        'drift_unacknowledged',
      ],
      limit: 'The components of the system, and what was identified in the MAP function, are not known here.',
      note: null,
    },
    {
      id: 'measure-3-1',
      reference: 'MEASURE 3.1',
      title: 'Tracking of risks over time',
      binds: BINDS,
      requirement:
        'Approaches, personnel and documentation are in place to identify and track existing, unanticipated and emergent risks regularly, based on factors such as intended and actual performance in deployed contexts.',
      applies: VOLUNTARY,
      evidence: ['findings', 'drift', 'drift_acknowledged'],
      needs: ['findings', 'drift', 'drift_acknowledged'],
      gaps: ['no_inferences', 'detectors_off', 'drift_unacknowledged'],
      limit: 'Personnel is not recorded here, beyond who acknowledged a drift.',
      note: null,
    },
    {
      id: 'manage-4-1',
      reference: 'MANAGE 4.1',
      title: 'Plans for monitoring after deployment',
      binds: BINDS,
      requirement:
        'Plans for monitoring AI systems after deployment are implemented, with mechanisms for input from users and other actors, appeal and override, decommissioning, incident response, recovery, and the management of change.',
      applies: VOLUNTARY,
      evidence: ['inferences', 'telemetry', 'drift', 'drift_acknowledged', 'policy_changes', 'exports'],
      needs: ['inferences', 'telemetry'],
      gaps: [
        'telemetry_rejected',
        'no_inferences',
        'hours_without_events',
        'probes_silent',
        'drift_unacknowledged',
        'endpoints_paused',
      ],
      limit: 'Input from users, appeal and decommissioning are not recorded here.',
      note: null,
    },
    {
      id: 'manage-4-3',
      reference: 'MANAGE 4.3',
      title: 'Incidents are communicated and tracked',
      binds: BINDS,
      requirement:
        'Incidents and errors are communicated to the actors concerned, affected communities included; processes for tracking, responding to and recovering from them are followed and documented.',
      applies: VOLUNTARY,
      evidence: ['deliveries', 'findings', 'drift', 'drift_acknowledged', 'endpoint_changes'],
      needs: ['drift_acknowledged', 'deliveries'],
      gaps: ['drift_unacknowledged', 'endpoints_paused'],
      limit: 'What people did about what was sent to them is not recorded here, beyond who acknowledged a drift.',
      note: 'That something was found tells nobody of it: there has to be a delivery or an acknowledgement.',
    },
  ],
};
