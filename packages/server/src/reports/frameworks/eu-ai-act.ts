// Regulation (EU) 2024/1689: the articles that speak of logs and of watching a system in use.

import type { Framework } from './framework.ts';

const HIGH_RISK = 'High-risk AI systems within the meaning of Article 6. Whether a system is one is not decided here.';

export const EU_AI_ACT: Framework = {
  id: 'eu-ai-act',
  title: 'EU Artificial Intelligence Act',
  version: 'Regulation (EU) 2024/1689 of 13 June 2024',
  url: 'https://eur-lex.europa.eu/eli/reg/2024/1689/oj',
  about:
    'The report lists what this log holds that speaks to the articles on logs and monitoring. It is no conformity assessment and no legal advice. The Act has no clause on tamper evidence: that a change to this log can be noticed makes its records credible, and no article asks for it. The logs are of the inferences that were assessed here or reported to here; the system around them may have more to log.',
  dates:
    'As adopted (Article 113), the rules for high-risk systems apply from 2 August 2026, and for those of Article 6(1) from 2 August 2027. An amendment, the Digital Omnibus, is reported to move this to 2 December 2027 for systems of Annex III and to 2 August 2028 for those of Annex I. Check the Official Journal for the text in force.',
  provisions: [
    {
      id: 'art-12-1',
      reference: 'Article 12(1)',
      title: 'Record-keeping: automatic recording of events',
      binds: ['provider'],
      requirement:
        'High-risk AI systems technically allow events to be recorded automatically (logs) over the lifetime of the system.',
      applies: HIGH_RISK,
      evidence: ['inferences', 'telemetry', 'policy_changes', 'drift', 'log', 'checkpoints'],
      gaps: ['no_inferences', 'hours_without_events', 'probes_silent', 'telemetry_rejected', 'log_behind', 'origin_restored'],
      note: 'The lifetime of a system is longer than a period: the log shows what was recorded in the period, not what was never sent to it.',
    },
    {
      id: 'art-12-2-a',
      reference: 'Article 12(2)(a)',
      title: 'Record-keeping: situations of risk and substantial modifications',
      binds: ['provider'],
      requirement:
        'Logging makes it possible to record events that are relevant for identifying situations that may result in a risk within the meaning of Article 79(1), or in a substantial modification.',
      applies: HIGH_RISK,
      evidence: ['inferences', 'findings', 'drift', 'policies', 'policy_changes', 'judge_changes'],
      gaps: ['no_inferences', 'coverage_incomplete', 'detector_faults', 'detectors_off', 'undecided'],
      note: 'Whether a modification is substantial (Article 3(23)) is for people to judge. Changes of the policy and of the judges are recorded; changes of the model show where they are named, or as drift.',
    },
    {
      id: 'art-12-2-b',
      reference: 'Article 12(2)(b)',
      title: 'Record-keeping: post-market monitoring',
      binds: ['provider'],
      requirement:
        'Logging makes it possible to record events that are relevant for facilitating the post-market monitoring of Article 72.',
      applies: HIGH_RISK,
      evidence: ['inferences', 'telemetry', 'drift', 'exports'],
      gaps: ['no_inferences', 'hours_without_events', 'drift_unacknowledged'],
      note: null,
    },
    {
      id: 'art-12-2-c',
      reference: 'Article 12(2)(c)',
      title: 'Record-keeping: monitoring by the deployer',
      binds: ['provider'],
      requirement:
        'Logging makes it possible to record events that are relevant for monitoring the operation of the system as Article 26(5) has it.',
      applies: HIGH_RISK,
      evidence: ['inferences', 'telemetry', 'findings', 'drift', 'probe_changes'],
      gaps: ['no_inferences', 'hours_without_events', 'probes_silent', 'coverage_incomplete'],
      note: null,
    },
    {
      id: 'art-12-3',
      reference: 'Article 12(3)',
      title: 'Record-keeping: remote biometric identification',
      binds: ['provider'],
      requirement:
        'At least: the period of each use with start and end, the reference database, the input data for which the search has led to a match, and the natural persons involved in the verification of the results (Article 14(5)).',
      applies: 'High-risk AI systems of Annex III, point 1(a), remote biometric identification, alone.',
      evidence: [],
      gaps: [],
      note: 'This service assesses what is said to and by models. It records none of these four things.',
    },
    {
      id: 'art-14',
      reference: 'Article 14',
      title: 'Human oversight',
      binds: ['provider'],
      requirement:
        'High-risk AI systems are designed and developed so that natural persons can effectively oversee them while they are in use.',
      applies: HIGH_RISK,
      evidence: [],
      gaps: [],
      note: 'No log can show that people oversee a system. That a drift was acknowledged or a policy changed, and by whom, is listed under Article 26(5).',
    },
    {
      id: 'art-19',
      reference: 'Article 19(1)',
      title: 'Logs that are kept by the provider',
      binds: ['provider'],
      requirement:
        'Providers keep the logs of Article 12(1), as far as they are under their control, for a period appropriate to the intended purpose, of at least six months unless Union or national law says otherwise, in particular the law on the protection of personal data.',
      applies: `${HIGH_RISK} Providers that are financial institutions keep them as part of the documentation under financial services law (Article 19(2)).`,
      evidence: ['log', 'kept', 'checkpoints', 'anchoring', 'prunings', 'redactions', 'exports'],
      gaps: ['retention_short', 'log_young', 'kept_short', 'origin_restored', 'no_witness'],
      note: 'Six months is the least. Which period is appropriate to the intended purpose is for the provider to say; the policy’s data.retention_days is what this service goes by.',
    },
    {
      id: 'art-26-2',
      reference: 'Article 26(2)',
      title: 'Oversight by persons of the deployer',
      binds: ['deployer'],
      requirement:
        'Deployers assign human oversight to natural persons who have the necessary competence, training and authority, and the necessary support.',
      applies: HIGH_RISK,
      evidence: [],
      gaps: [],
      note: 'Who is assigned, and what they have learned, is not recorded here.',
    },
    {
      id: 'art-26-5',
      reference: 'Article 26(5)',
      title: 'Monitoring by the deployer',
      binds: ['deployer'],
      requirement:
        'Deployers monitor the operation of the system on the basis of the instructions for use and, where relevant, inform providers in accordance with Article 72. Where they have reason to consider that the use may result in a risk within the meaning of Article 79(1), they inform the provider or distributor and the market surveillance authority without undue delay and suspend the use; serious incidents they report immediately.',
      applies: `${HIGH_RISK} For deployers that are financial institutions, the rules on internal governance under financial services law fulfil the monitoring obligation.`,
      evidence: ['inferences', 'telemetry', 'findings', 'drift', 'drift_acknowledged', 'endpoint_changes'],
      gaps: [
        'no_inferences',
        'hours_without_events',
        'probes_silent',
        'coverage_incomplete',
        'detector_faults',
        'detectors_off',
        'monitor_mode',
        'on_error_allow',
        'undecided',
        'drift_unacknowledged',
        'endpoints_paused',
      ],
      note: 'That the system was watched is recorded. Who was informed of a risk or an incident, and that the use was suspended, is not.',
    },
    {
      id: 'art-26-6',
      reference: 'Article 26(6)',
      title: 'Logs that are kept by the deployer',
      binds: ['deployer'],
      requirement:
        'Deployers keep the logs that the system generates automatically, as far as they are under their control, for a period appropriate to the intended purpose, of at least six months unless Union or national law says otherwise, in particular the law on the protection of personal data.',
      applies: `${HIGH_RISK} Deployers that are financial institutions keep them as part of the documentation under financial services law.`,
      evidence: ['log', 'kept', 'checkpoints', 'anchoring', 'prunings', 'redactions', 'exports'],
      gaps: ['retention_short', 'log_young', 'kept_short', 'origin_restored', 'no_witness'],
      note: 'Values that were erased from events (redactions) leave a commitment to them in the log: that they were there, and that they are gone, stays provable.',
    },
    {
      id: 'art-72',
      reference: 'Article 72(1)–(2)',
      title: 'Post-market monitoring by the provider',
      binds: ['provider'],
      requirement:
        'Providers establish and document a post-market monitoring system that actively and systematically collects, documents and analyses relevant data on the performance of the system throughout its lifetime, which may be provided by deployers or collected from other sources.',
      applies: HIGH_RISK,
      evidence: ['inferences', 'telemetry', 'drift', 'exports'],
      gaps: ['no_inferences', 'drift_unacknowledged'],
      note: 'The post-market monitoring plan (Article 72(3)) is a document of the provider and is not kept here. These are data for it.',
    },
  ],
};
