// Token formats of payment, shops, monitoring and office software.

import { anchored, token } from '../rule.ts';
import type { Rule } from '../rule.ts';

const CRITICAL = { severity: 'critical' } as const;

export const BUSINESS_RULES: readonly Rule[] = [
  // https://docs.stripe.com/keys
  ...['sk_live_', 'rk_live_'].map((prefix) =>
    token('stripe_secret_key', 'Stripe live secret key', prefix, '[A-Za-z0-9]{10,128}', { entropyMin: 2.5, ...CRITICAL }),
  ),
  ...['sk_test_', 'rk_test_'].map((prefix) =>
    token('stripe_test_key', 'Stripe test secret key', prefix, '[A-Za-z0-9]{10,128}', {
      entropyMin: 2.5,
      severity: 'medium',
      score: 0.9,
    }),
  ),
  ...['sk_prod_', 'rk_prod_'].map((prefix) =>
    token('stripe_secret_key', 'Stripe secret key', prefix, '[A-Za-z0-9]{10,128}', CRITICAL),
  ),
  token('webhook_signing_secret', 'webhook signing secret', 'whsec_', '[A-Za-z0-9+/]{32,80}={0,2}', {
    score: 0.95,
    entropyMin: 3.5,
  }),
  token('square_access_token', 'Square access token', 'EAAA', '[A-Za-z0-9_+=-]{56,60}', { entropyMin: 3.5 }),
  token('square_access_token', 'Square access token', 'sq0atp-', '[A-Za-z0-9_-]{22}', CRITICAL),
  token('square_client_secret', 'Square client secret', 'sq0csp-', '[A-Za-z0-9_-]{43}', CRITICAL),
  token(
    'paypal_braintree_token',
    'Braintree access token',
    'access_token$production$',
    String.raw`[a-z0-9]{16}\$[a-f0-9]{32}`,
    CRITICAL,
  ),
  anchored(
    'plaid_access_token',
    'Plaid access token',
    String.raw`access-(?:sandbox|development|production)-[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}`,
    {
      anchors: ['access-sandbox-', 'access-development-', 'access-production-'],
      prefix: 'access-',
    },
  ),
  token('flutterwave_secret_key', 'Flutterwave secret key', 'FLWSECK_TEST-', '[a-h0-9]{12}(?:[a-h0-9]{20}-X)?'),
  token('flutterwave_secret_key', 'Flutterwave secret key', 'FLWSECK-', '[a-h0-9]{32}-X', CRITICAL),
  token('flutterwave_public_key', 'Flutterwave public key', 'FLWPUBK_TEST-', '[a-h0-9]{32}-X', { severity: 'low' }),
  token('shopify_access_token', 'Shopify access token', 'shpat_', '[a-fA-F0-9]{32}', { entropyMin: 3, ...CRITICAL }),
  token('shopify_custom_app_token', 'Shopify custom app token', 'shpca_', '[a-fA-F0-9]{32}', { entropyMin: 3, ...CRITICAL }),
  token('shopify_private_app_password', 'Shopify private app password', 'shppa_', '[a-fA-F0-9]{32}', {
    entropyMin: 3,
    ...CRITICAL,
  }),
  token('shopify_shared_secret', 'Shopify shared secret', 'shpss_', '[a-fA-F0-9]{32}', { entropyMin: 3, ...CRITICAL }),
  token('easypost_api_key', 'EasyPost API key', 'EZAK', '[A-Za-z0-9]{54}', { entropyMin: 3.5 }),
  token('easypost_test_api_key', 'EasyPost test API key', 'EZTK', '[A-Za-z0-9]{54}', { entropyMin: 3.5, severity: 'medium' }),
  token('shippo_api_token', 'Shippo API token', 'shippo_', '(?:live|test)_[a-fA-F0-9]{40}'),
  token('duffel_token', 'Duffel token', 'duffel_', '(?:live|test)_[A-Za-z0-9_=-]{43}'),
  anchored('lob_api_key', 'Lob API key', '(?:live|test)_(?:pub_)?[a-f0-9]{31,35}(?![A-Za-z0-9])', {
    anchors: ['live_', 'test_'],
    score: 0.9,
    entropyMin: 3,
  }),
  token('gocardless_token', 'GoCardless token', 'live_', '[A-Za-z0-9_=-]{40}', { score: 0.9, entropyMin: 3.7 }),
  token('coinbase_key', 'Coinbase API key', 'organizations/', '[a-f0-9-]{36}/apiKeys/[a-f0-9-]{36}', {
    score: 0.9,
    severity: 'medium',
  }),
  token('airtable_token', 'Airtable token', 'pat', String.raw`[A-Za-z0-9]{14}\.[a-f0-9]{64}`, { prefix: 'pat' }),
  token('notion_token', 'Notion token', 'ntn_', String.raw`\d{11}[A-Za-z0-9]{35}`),
  token('notion_token', 'Notion token', 'secret_', '[A-Za-z0-9]{43}', { score: 0.9, entropyMin: 3.8 }),
  token('figma_token', 'Figma token', 'figd_', '[A-Za-z0-9_-]{38,44}'),
  token('asana_token', 'Asana token', '1/', String.raw`\d{13,17}(?:/\d{13,17})?:[a-f0-9]{32}`),
  token('typeform_token', 'Typeform token', 'tfp_', '[A-Za-z0-9_.=-]{40,60}'),
  token('frameio_token', 'Frame.io token', 'fio-u-', '[A-Za-z0-9_=-]{64}'),
  token(
    'hubspot_token',
    'HubSpot private app token',
    'pat-',
    String.raw`(?:na|eu)\d-[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}`,
  ),
  token('contentful_token', 'Contentful token', 'CFPAT-', '[A-Za-z0-9_-]{43}'),
  token('settlemint_token', 'SettleMint token', 'sm_', '(?:pat|aat|sat)_[A-Za-z0-9]{16}'),
  token('beamer_token', 'Beamer token', 'b_', '[a-z0-9_=-]{44}', {
    anchors: Array.from('abcdefghijklmnopqrstuvwxyz0123456789', (next) => `b_${next}`),
    score: 0.85,
    entropyMin: 3.9,
  }),
  token('intra42_client_secret', '42 client secret', 's-s4t2', '(?:ud|af)-[a-f0-9]{64}'),
  anchored('maxmind_license_key', 'MaxMind license key', '[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk(?![A-Za-z0-9])', {
    anchors: ['_mmk'],
    offset: 36,
  }),
  anchored(
    'sidekiq_credentials',
    'Sidekiq Enterprise credentials',
    'CONTRIBSYS__COM["\']?[ =:]{1,4}["\']?([a-f0-9]{8}:[a-f0-9]{8})(?![A-Za-z0-9])',
    {
      anchors: ['contribsys__com'],
      entropyMin: 0,
    },
  ),
  // Monitoring.
  token('newrelic_user_key', 'New Relic user key', 'NRAK-', '[A-Za-z0-9]{27}'),
  token('newrelic_insert_key', 'New Relic insert key', 'NRII-', '[A-Za-z0-9_-]{32}'),
  token('newrelic_browser_key', 'New Relic browser key', 'NRJS-', '[a-f0-9]{19}', { severity: 'low' }),
  anchored('newrelic_license_key', 'New Relic license key', '[a-f0-9]{36}NRAL(?![A-Za-z0-9])', { anchors: ['nral'], offset: 36 }),
  token('sentry_user_token', 'Sentry user token', 'sntryu_', '[a-f0-9]{64}'),
  token('sentry_organization_token', 'Sentry organization token', 'sntrys_', '[A-Za-z0-9+/=_-]{70,400}'),
  token('grafana_cloud_token', 'Grafana Cloud token', 'glc_', '[A-Za-z0-9+/]{32,400}={0,3}', { entropyMin: 3.5 }),
  token('grafana_service_account_token', 'Grafana service account token', 'glsa_', '[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}', {
    entropyMin: 3,
  }),
  token('grafana_api_key', 'Grafana API key', 'eyJrIjoi', '[A-Za-z0-9]{60,300}={0,2}', { score: 0.9 }),
  token('datadog_token', 'Datadog token', 'ddp_', '[A-Za-z0-9]{34,48}'),
  token('pagerduty_integration_key', 'PagerDuty key', 'pdus+_', '[A-Za-z0-9_]{20,80}'),
  token('sumologic_endpoint', 'Sumo Logic collector URL', '/receiver/v1/http/', '[A-Za-z0-9_=-]{60,200}', { prefix: '' }),
  token('zapier_webhook_url', 'Zapier webhook URL', 'hooks.zapier.com/hooks/catch/', '[0-9]{5,10}/[a-z0-9]{6,10}', {
    prefix: '',
    score: 0.85,
    severity: 'medium',
  }),
];
