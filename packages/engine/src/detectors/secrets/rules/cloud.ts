// Token formats of clouds, hosting, databases as a service and infrastructure tools.

import { anchored, token } from '../rule.ts';
import type { Rule } from '../rule.ts';

export const CLOUD_RULES: readonly Rule[] = [
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html#identifiers-unique-ids
  ...['AKIA', 'ASIA', 'ABIA', 'ACCA'].map((prefix) => token('aws_access_key_id', 'AWS access key id', prefix, '[A-Z2-7]{16}')),
  token('aws_bedrock_api_key', 'Amazon Bedrock API key', 'ABSK', '[A-Za-z0-9+/]{109,269}={0,2}', { severity: 'critical' }),
  token(
    'aws_bedrock_api_key',
    'Amazon Bedrock short-lived API key',
    'bedrock-api-key-',
    'YmVkcm9jay5hbWF6b25hd3MuY29t[A-Za-z0-9+/]{0,700}={0,2}',
  ),
  token('google_api_key', 'Google API key', 'AIza', '[A-Za-z0-9_-]{35}', { entropyMin: 3 }),
  token('google_oauth_client_secret', 'Google OAuth client secret', 'GOCSPX-', '[A-Za-z0-9_-]{28}'),
  token('google_oauth_access_token', 'Google OAuth access token', 'ya29.', '[A-Za-z0-9_.-]{30,400}'),
  token('google_oauth_refresh_token', 'Google OAuth refresh token', '1//0', '[A-Za-z0-9_-]{40,120}'),
  anchored('azure_storage_key', 'Azure storage account key', String.raw`AccountKey=([A-Za-z0-9+/]{86}==)`, {
    anchors: ['accountkey='],
    severity: 'critical',
  }),
  anchored('azure_shared_access_key', 'Azure shared access key', String.raw`SharedAccessKey=([A-Za-z0-9+/]{43}=)`, {
    anchors: ['sharedaccesskey='],
  }),
  anchored('azure_sas_signature', 'Azure shared access signature', String.raw`[?&;]sig=([A-Za-z0-9%+/]{43,63}(?:%3[Dd]|=))`, {
    anchors: ['?sig=', '&sig=', ';sig='],
  }),
  anchored(
    'azure_client_secret',
    'Azure client secret',
    String.raw`[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~.-])`,
    {
      anchors: ['0q~', '1q~', '2q~', '3q~', '4q~', '5q~', '6q~', '7q~', '8q~', '9q~'],
      offset: 3,
      entropyMin: 3.3,
    },
  ),
  token('alibaba_access_key_id', 'Alibaba Cloud access key id', 'LTAI', '[A-Za-z0-9]{16,26}', { score: 0.9 }),
  token('yandex_api_key', 'Yandex Cloud API key', 'AQVN', '[A-Za-z0-9_-]{35,38}'),
  token('yandex_static_key', 'Yandex Cloud static access key', 'YC', '[A-Za-z0-9_-]{38}', {
    anchors: Array.from('abcdefghijklmnopqrstuvwxyz0123456789-_', (next) => `yc${next}`),
    score: 0.85,
    entropyMin: 3.6,
  }),
  token('yandex_iam_token', 'Yandex Cloud IAM token', 't1.', String.raw`[A-Za-z0-9_-]{10,250}={0,2}\.[A-Za-z0-9_-]{86}={0,2}`),
  token('digitalocean_personal_access_token', 'DigitalOcean personal access token', 'dop_v1_', '[a-f0-9]{64}'),
  token('digitalocean_oauth_token', 'DigitalOcean OAuth token', 'doo_v1_', '[a-f0-9]{64}'),
  token('digitalocean_refresh_token', 'DigitalOcean refresh token', 'dor_v1_', '[a-f0-9]{64}'),
  token('cloudflare_origin_ca_key', 'Cloudflare origin CA key', 'v1.0-', '[a-f0-9]{24}-[a-f0-9]{146}'),
  token('cloudflare_api_token', 'Cloudflare API token', 'cfut_', '[A-Za-z0-9_-]{40,60}'),
  token('heroku_api_key', 'Heroku API key', 'HRKU-', '[A-Za-z0-9_-]{36,64}'),
  token('fly_access_token', 'Fly.io access token', 'fo1_', '[A-Za-z0-9_-]{43}'),
  ...['fm1r_', 'fm1a_', 'fm2_'].map((prefix) =>
    token('fly_macaroon_token', 'Fly.io token', prefix, '[A-Za-z0-9+/]{50,900}={0,3}'),
  ),
  ...['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'].map((prefix) =>
    token('vercel_token', 'Vercel token', prefix, '[A-Za-z0-9]{24,60}'),
  ),
  token('vercel_blob_token', 'Vercel Blob token', 'vercel_blob_rw_', '[A-Za-z0-9_]{30,80}'),
  token('netlify_token', 'Netlify personal access token', 'nfp_', '[A-Za-z0-9]{36,40}'),
  token('supabase_access_token', 'Supabase access token', 'sbp_', '[a-f0-9]{40}'),
  token('supabase_secret_key', 'Supabase secret key', 'sb_secret_', '[A-Za-z0-9_-]{22,60}'),
  token('planetscale_password', 'PlanetScale password', 'pscale_pw_', '[A-Za-z0-9_.=-]{32,64}'),
  token('planetscale_token', 'PlanetScale service token', 'pscale_tkn_', '[A-Za-z0-9_.=-]{32,64}'),
  token('planetscale_oauth_token', 'PlanetScale OAuth token', 'pscale_oauth_', '[A-Za-z0-9_.=-]{32,64}'),
  token('neon_api_key', 'Neon API key', 'napi_', '[a-z0-9]{50,80}'),
  token('mongodb_atlas_service_account_secret', 'MongoDB Atlas service account secret', 'mdb_sa_sk_', '[A-Za-z0-9_-]{30,50}'),
  token('databricks_token', 'Databricks token', 'dapi', String.raw`[a-f0-9]{32}(?:-\d)?`),
  token('doppler_token', 'Doppler token', 'dp.pt.', '[A-Za-z0-9]{40,44}'),
  ...['dp.st.', 'dp.ct.', 'dp.sa.', 'dp.scim.', 'dp.audit.'].map((prefix) =>
    token('doppler_token', 'Doppler token', prefix, String.raw`(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}`),
  ),
  token('onepassword_service_account_token', '1Password service account token', 'ops_eyJ', '[A-Za-z0-9+/]{80,900}={0,3}', {
    severity: 'critical',
    entropyMin: 3.5,
  }),
  token(
    'onepassword_secret_key',
    '1Password secret key',
    'A3-',
    '[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}',
    {
      severity: 'critical',
    },
  ),
  ...['hvs.', 'hvb.', 'hvr.'].map((prefix) =>
    token('vault_token', 'HashiCorp Vault token', prefix, '[A-Za-z0-9_-]{24,300}', { severity: 'critical', entropyMin: 3 }),
  ),
  anchored(
    'terraform_cloud_token',
    'Terraform Cloud token',
    String.raw`[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70}(?![A-Za-z0-9])`,
    {
      anchors: ['.atlasv1.'],
      offset: 14,
    },
  ),
  token('pulumi_access_token', 'Pulumi access token', 'pul-', '[a-f0-9]{40}'),
  token('infracost_api_key', 'Infracost API key', 'ico-', '[A-Za-z0-9]{32}', { entropyMin: 3 }),
  token('openshift_token', 'OpenShift token', 'sha256~', '[A-Za-z0-9_-]{43}', { entropyMin: 3 }),
  token('scalingo_token', 'Scalingo token', 'tk-us-', '[A-Za-z0-9_-]{48}'),
  token('tailscale_key', 'Tailscale key', 'tskey-', '(?:auth|api|client|scim|webhook)-[A-Za-z0-9]{8,24}-[A-Za-z0-9]{20,50}'),
  token('octopus_deploy_api_key', 'Octopus Deploy API key', 'API-', '[A-Z0-9]{26}', { score: 0.9, entropyMin: 3.2 }),
  token('harness_token', 'Harness token', 'pat.', String.raw`[A-Za-z0-9_-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}`),
  token('harness_token', 'Harness token', 'sat.', String.raw`[A-Za-z0-9_-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}`),
  token('prefect_api_key', 'Prefect API key', 'pnu_', '[A-Za-z0-9]{36}'),
  token('clickhouse_cloud_key', 'ClickHouse Cloud API key', '4b1d', '[A-Za-z0-9]{38}', { entropyMin: 3.5, score: 0.9 }),
  token('defined_networking_token', 'Defined Networking token', 'dnkey-', '[a-z0-9=_-]{26}-[a-z0-9=_-]{52}'),
];
