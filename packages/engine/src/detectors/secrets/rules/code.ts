// Token formats of code hosts, continuous integration and package registries.

import { bodyEndsWithCrc } from '../checksum.ts';
import { anchored, token } from '../rule.ts';
import type { Rule } from '../rule.ts';

const GITHUB_BODY = '[A-Za-z0-9]{36}';
const GITHUB_OPTIONS = { check: bodyEndsWithCrc, entropyMin: 3, severity: 'critical' } as const;

// https://docs.gitlab.com/security/tokens/#token-prefixes
const GITLAB_KINDS: readonly (readonly [string, string, string])[] = [
  ['gldt-', 'gitlab_deploy_token', 'deploy token'],
  ['glptt-', 'gitlab_pipeline_trigger_token', 'pipeline trigger token'],
  ['glcbt-', 'gitlab_job_token', 'CI job token'],
  ['glft-', 'gitlab_feed_token', 'feed token'],
  ['glimt-', 'gitlab_incoming_mail_token', 'incoming mail token'],
  ['glagent-', 'gitlab_agent_token', 'Kubernetes agent token'],
  ['glsoat-', 'gitlab_scim_token', 'SCIM token'],
  ['gloas-', 'gitlab_oauth_secret', 'OAuth application secret'],
  ['glffct-', 'gitlab_feature_flag_token', 'feature flag client token'],
];
const GITLAB_ROUTABLE = String.raw`[A-Za-z0-9_-]{20,90}(?:\.[a-z0-9]{2}(?:\.[a-z0-9]{1,3})?[a-z0-9]{7,9})?`;

export const CODE_RULES: readonly Rule[] = [
  token('github_personal_access_token', 'GitHub personal access token', 'ghp_', GITHUB_BODY, GITHUB_OPTIONS),
  token('github_oauth_token', 'GitHub OAuth token', 'gho_', GITHUB_BODY, GITHUB_OPTIONS),
  token('github_app_token', 'GitHub app user token', 'ghu_', GITHUB_BODY, GITHUB_OPTIONS),
  token('github_app_token', 'GitHub app server token', 'ghs_', GITHUB_BODY, GITHUB_OPTIONS),
  token('github_refresh_token', 'GitHub refresh token', 'ghr_', '[A-Za-z0-9]{36,76}', { ...GITHUB_OPTIONS }),
  token('github_fine_grained_token', 'GitHub fine-grained token', 'github_pat_', String.raw`[A-Za-z0-9_]{82}`, {
    severity: 'critical',
    entropyMin: 3,
  }),
  token('gitlab_personal_access_token', 'GitLab personal access token', 'glpat-', GITLAB_ROUTABLE, {
    severity: 'critical',
    entropyMin: 3,
  }),
  token('gitlab_runner_token', 'GitLab runner token', 'glrt-', `(?:t\\d_)?${GITLAB_ROUTABLE}`, { entropyMin: 3 }),
  token('gitlab_runner_registration_token', 'GitLab runner registration token', 'GR1348941', '[A-Za-z0-9_-]{20}', {
    entropyMin: 3,
  }),
  ...GITLAB_KINDS.map(([prefix, type, kind]) => token(type, `GitLab ${kind}`, prefix, '[A-Za-z0-9_-]{20,80}', { entropyMin: 3 })),
  token('bitbucket_access_token', 'Bitbucket access token', 'ATCTT3', '[A-Za-z0-9_=-]{60,300}'),
  token('bitbucket_app_password', 'Bitbucket app password', 'ATBB', '[A-Za-z0-9_=.-]{28,40}', { score: 0.9, entropyMin: 3.2 }),
  token('sourcegraph_token', 'Sourcegraph token', 'sgp_', '(?:local_|[a-fA-F0-9]{16}_)?[a-fA-F0-9]{40}', { entropyMin: 3 }),
  token('codecov_token', 'Codecov token', 'codecov_', '[A-Za-z0-9]{32,48}'),
  token('circleci_token', 'CircleCI personal token', 'CCIPAT_', '[A-Za-z0-9]{15,30}_[a-f0-9]{40}'),
  token('buildkite_token', 'Buildkite token', 'bkua_', '[a-f0-9]{40}'),
  token('sonarqube_token', 'SonarQube token', 'squ_', '[a-f0-9]{40}'),
  token('sonarqube_token', 'SonarQube token', 'sqp_', '[a-f0-9]{40}'),
  token('sonarqube_token', 'SonarQube token', 'sqa_', '[a-f0-9]{40}'),
  token('launchdarkly_key', 'LaunchDarkly key', 'sdk-', '[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}', { score: 0.85 }),
  token('npm_access_token', 'npm access token', 'npm_', '[A-Za-z0-9]{36}', { check: bodyEndsWithCrc, severity: 'critical' }),
  anchored(
    'npm_registry_auth',
    'npm registry auth token',
    String.raw`:_authToken {0,4}= {0,4}([a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12})(?![A-Za-z0-9])`,
    {
      anchors: [':_authtoken'],
      score: 0.9,
    },
  ),
  token('pypi_token', 'PyPI token', 'pypi-AgEIcHlwaS5vcmc', '[A-Za-z0-9_-]{50,400}', { severity: 'critical', prefix: 'pypi-' }),
  token('pypi_token', 'TestPyPI token', 'pypi-AgENdGVzdC5weXBpLm9yZ', '[A-Za-z0-9_-]{50,400}', { prefix: 'pypi-' }),
  token('rubygems_api_key', 'RubyGems API key', 'rubygems_', '[a-f0-9]{48}'),
  token('crates_io_token', 'crates.io token', 'cio', '[A-Za-z0-9]{32}', { score: 0.85, entropyMin: 3.8 }),
  token('nuget_api_key', 'NuGet API key', 'oy2', '[a-z0-9]{43}', { score: 0.9, entropyMin: 3.5 }),
  token('clojars_token', 'Clojars token', 'CLOJARS_', '[A-Za-z0-9]{60}'),
  token('docker_access_token', 'Docker access token', 'dckr_pat_', '[A-Za-z0-9_-]{27}'),
  token('docker_organization_token', 'Docker organization token', 'dckr_oat_', '[A-Za-z0-9_-]{32}'),
  token('jfrog_api_key', 'JFrog API key', 'AKCp', '[A-Za-z0-9]{69}', { entropyMin: 3.5 }),
  token('jfrog_reference_token', 'JFrog reference token', 'cmVmdGtu', '[A-Za-z0-9]{56}'),
  anchored(
    'jfrog_password',
    'Artifactory password',
    String.raw`(?:X-JFrog-Art-Api: {0,4}|artifactory[a-z]{0,12}:_password= {0,4})(A[KP][A-Za-z0-9]{8,80})`,
    {
      anchors: ['x-jfrog-art-api:', 'artifactory'],
      entropyMin: 0,
      score: 0.85,
    },
  ),
  token('readme_api_key', 'ReadMe API key', 'rdme_', '[a-z0-9]{70}'),
  token('postman_api_key', 'Postman API key', 'PMAK-', '[a-f0-9]{24}-[a-f0-9]{34}'),
  token(
    'snyk_token',
    'Snyk token',
    'snyk_',
    String.raw`(?:uat|sat)\.[a-z0-9]{8}\.[A-Za-z0-9_-]{40,120}(?:\.[A-Za-z0-9_-]{10,80})?`,
  ),
  token('atlassian_api_token', 'Atlassian API token', 'ATATT3', '[A-Za-z0-9_=-]{60,300}', { severity: 'critical' }),
  token('linear_api_key', 'Linear API key', 'lin_api_', '[A-Za-z0-9]{40}'),
  token('linear_oauth_token', 'Linear OAuth token', 'lin_oauth_', '[a-f0-9]{64}'),
  token('dynatrace_token', 'Dynatrace token', 'dt0c01.', String.raw`[A-Za-z0-9]{24}\.[A-Za-z0-9]{64}`),
  token('dynatrace_token', 'Dynatrace token', 'dt0s01.', String.raw`[A-Za-z0-9]{24}\.[A-Za-z0-9]{64}`),
];
