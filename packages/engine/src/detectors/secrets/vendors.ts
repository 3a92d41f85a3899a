// Vendors whose credentials have no telling prefix: a format counts only beside the vendor's name.

/** A format that belongs to a vendor. */
export interface VendorFormat {
  readonly type: string;
  readonly label: string;
  /** Matches the whole value. */
  readonly pattern: RegExp;
}

const HEX32 = /^[a-f0-9]{32}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

function format(type: string, label: string, pattern: RegExp): VendorFormat {
  return { type, label, pattern };
}

function alphanumeric(min: number, max = min): RegExp {
  return new RegExp(`^[A-Za-z0-9]{${min},${max}}$`);
}

/** By vendor word (lower case, an anchor), its formats, the first that fits wins. */
export const VENDORS: Readonly<Record<string, readonly VendorFormat[]>> = {
  adafruit: [format('adafruit_api_key', 'Adafruit IO key', /^[a-z0-9_-]{32}$/)],
  adobe: [format('adobe_client_credential', 'Adobe client credential', HEX32)],
  airtable: [format('airtable_api_key', 'Airtable API key', alphanumeric(17))],
  algolia: [format('algolia_api_key', 'Algolia API key', alphanumeric(32))],
  alibaba: [format('alibaba_secret_key', 'Alibaba Cloud secret key', alphanumeric(30))],
  asana: [format('asana_client_credential', 'Asana client credential', /^(?:\d{16}|[a-z0-9]{32})$/)],
  atlassian: [format('atlassian_api_token', 'Atlassian API token', alphanumeric(24))],
  jira: [format('atlassian_api_token', 'Atlassian API token', alphanumeric(24))],
  confluence: [format('atlassian_api_token', 'Atlassian API token', alphanumeric(24))],
  authress: [],
  aws: [format('aws_secret_access_key', 'AWS secret access key', /^[A-Za-z0-9+/]{40}$/)],
  azure: [format('azure_openai_key', 'Azure API key', HEX32)],
  bitbucket: [format('bitbucket_client_credential', 'Bitbucket client credential', /^(?:[a-z0-9]{32}|[A-Za-z0-9_=-]{64})$/)],
  bittrex: [format('bittrex_api_key', 'Bittrex API key', alphanumeric(32))],
  cisco: [format('cisco_meraki_api_key', 'Cisco Meraki API key', /^[a-f0-9]{40}$/)],
  cloudflare: [
    format('cloudflare_global_api_key', 'Cloudflare global API key', /^[a-f0-9]{37}$/),
    format('cloudflare_api_token', 'Cloudflare API token', /^[A-Za-z0-9_-]{40}$/),
  ],
  codecov: [format('codecov_token', 'Codecov token', alphanumeric(32))],
  cohere: [format('cohere_api_key', 'Cohere API key', alphanumeric(40))],
  coinbase: [format('coinbase_key', 'Coinbase key', /^[A-Za-z0-9_-]{64}$/)],
  confluent: [
    format('confluent_api_key', 'Confluent API key', alphanumeric(16)),
    format('confluent_api_secret', 'Confluent API secret', alphanumeric(64)),
  ],
  contentful: [format('contentful_token', 'Contentful token', /^[A-Za-z0-9_=-]{43}$/)],
  databricks: [],
  datadog: [
    format('datadog_api_key', 'Datadog API key', alphanumeric(32)),
    format('datadog_application_key', 'Datadog application key', alphanumeric(40)),
  ],
  deepgram: [format('deepgram_api_key', 'Deepgram API key', /^[a-f0-9]{40}$/)],
  digitalocean: [],
  discord: [
    format('discord_client_secret', 'Discord client secret', /^[A-Za-z0-9_=-]{32}$/),
    format('discord_public_key', 'Discord application key', /^[a-f0-9]{64}$/),
  ],
  droneci: [format('drone_token', 'Drone token', alphanumeric(32))],
  dropbox: [
    format('dropbox_app_secret', 'Dropbox app secret', alphanumeric(15)),
    format('dropbox_access_token', 'Dropbox access token', /^[a-z0-9]{11}AAAAAAAAAA[A-Za-z0-9_=-]{43}$/),
  ],
  etsy: [format('etsy_api_key', 'Etsy API key', alphanumeric(24))],
  facebook: [format('facebook_app_secret', 'Facebook app secret', HEX32)],
  fastly: [format('fastly_api_token', 'Fastly API token', /^[A-Za-z0-9_=-]{32}$/)],
  finicity: [format('finicity_credential', 'Finicity credential', /^(?:[a-f0-9]{32}|[a-z0-9]{20})$/)],
  finnhub: [format('finnhub_token', 'Finnhub token', alphanumeric(20))],
  flickr: [format('flickr_api_key', 'Flickr API key', alphanumeric(32))],
  freshbooks: [format('freshbooks_token', 'FreshBooks token', alphanumeric(64))],
  freshdesk: [format('freshdesk_api_key', 'Freshdesk API key', alphanumeric(20))],
  gemini: [],
  github: [format('github_token', 'GitHub token', /^[a-f0-9]{40}$/)],
  gitlab: [format('gitlab_token', 'GitLab token', /^[A-Za-z0-9_-]{20}$/)],
  gitter: [format('gitter_token', 'Gitter token', alphanumeric(40))],
  grafana: [],
  heroku: [format('heroku_api_key', 'Heroku API key', UUID)],
  hubspot: [format('hubspot_api_key', 'HubSpot API key', UUID)],
  ibm: [format('ibm_cloud_api_key', 'IBM Cloud API key', /^[A-Za-z0-9_-]{44}$/)],
  intercom: [format('intercom_token', 'Intercom token', /^[A-Za-z0-9_=-]{60}$/)],
  jenkins: [format('jenkins_api_token', 'Jenkins API token', /^[a-f0-9]{32,34}$/)],
  jfrog: [format('jfrog_token', 'JFrog token', /^[A-Za-z0-9]{64,73}$/)],
  artifactory: [format('jfrog_token', 'JFrog token', /^[A-Za-z0-9]{64,73}$/)],
  kraken: [format('kraken_api_key', 'Kraken API key', /^[A-Za-z0-9_=+/-]{80,90}$/)],
  kucoin: [format('kucoin_api_key', 'KuCoin API key', /^[a-f0-9]{24}$/), format('kucoin_api_secret', 'KuCoin API secret', UUID)],
  launchdarkly: [format('launchdarkly_key', 'LaunchDarkly key', /^[A-Za-z0-9_=-]{40}$/)],
  linkedin: [format('linkedin_client_secret', 'LinkedIn client secret', alphanumeric(14, 16))],
  looker: [
    format('looker_client_secret', 'Looker client secret', alphanumeric(24)),
    format('looker_client_id', 'Looker client id', alphanumeric(20)),
  ],
  mailchimp: [format('mailchimp_api_key', 'Mailchimp API key', /^[a-f0-9]{32}-us\d{1,2}$/)],
  mailgun: [format('mailgun_signing_key', 'Mailgun signing key', /^[a-f0-9]{32}(?:-[a-f0-9]{8}){0,2}$/)],
  mattermost: [format('mattermost_token', 'Mattermost token', alphanumeric(26))],
  meraki: [format('cisco_meraki_api_key', 'Cisco Meraki API key', /^[a-f0-9]{40}$/)],
  messagebird: [
    format('messagebird_api_key', 'MessageBird API key', alphanumeric(25)),
    format('messagebird_client_id', 'MessageBird client id', UUID),
  ],
  mistral: [format('mistral_api_key', 'Mistral API key', alphanumeric(32))],
  netlify: [format('netlify_token', 'Netlify token', /^[A-Za-z0-9_=-]{40,46}$/)],
  newrelic: [format('newrelic_key', 'New Relic key', alphanumeric(40, 64))],
  new_relic: [format('newrelic_key', 'New Relic key', alphanumeric(40, 64))],
  nytimes: [format('nytimes_api_key', 'New York Times API key', /^[A-Za-z0-9=_-]{32}$/)],
  octopus: [format('octopus_deploy_api_key', 'Octopus Deploy API key', UUID)],
  okta: [format('okta_api_token', 'Okta API token', /^00[A-Za-z0-9_-]{40}$/)],
  pagerduty: [format('pagerduty_key', 'PagerDuty key', /^[A-Za-z0-9_+-]{20,32}$/)],
  paypal: [format('paypal_client_secret', 'PayPal client secret', /^E[A-Za-z0-9_-]{79}$/)],
  plaid: [
    format('plaid_secret', 'Plaid secret', alphanumeric(30)),
    format('plaid_client_id', 'Plaid client id', alphanumeric(24)),
  ],
  privateai: [format('privateai_token', 'Private AI token', alphanumeric(32))],
  rapidapi: [format('rapidapi_key', 'RapidAPI key', /^[A-Za-z0-9_-]{50}$/)],
  razorpay: [format('razorpay_key_secret', 'Razorpay key secret', alphanumeric(24))],
  sendbird: [
    format('sendbird_token', 'Sendbird token', /^[a-f0-9]{40}$/),
    format('sendbird_app_id', 'Sendbird application id', UUID),
  ],
  sendinblue: [],
  sentry: [format('sentry_token', 'Sentry token', /^[a-f0-9]{64}$/)],
  shopify: [],
  slack: [],
  snyk: [format('snyk_token', 'Snyk token', UUID)],
  sonar: [format('sonarqube_token', 'SonarQube token', /^[a-f0-9]{40}$/)],
  sourcegraph: [format('sourcegraph_token', 'Sourcegraph token', /^[a-fA-F0-9]{40}$/)],
  splunk: [format('splunk_hec_token', 'Splunk HEC token', UUID)],
  squarespace: [format('squarespace_token', 'Squarespace token', UUID)],
  stripe: [],
  sumo: [
    format('sumologic_access_key', 'Sumo Logic access key', alphanumeric(64)),
    format('sumologic_access_id', 'Sumo Logic access id', /^su[A-Za-z0-9]{12}$/),
  ],
  supabase: [],
  telegram: [],
  sumologic: [
    format('sumologic_access_key', 'Sumo Logic access key', alphanumeric(64)),
    format('sumologic_access_id', 'Sumo Logic access id', /^su[A-Za-z0-9]{12}$/),
  ],
  travisci: [format('travisci_token', 'Travis CI token', alphanumeric(22))],
  travis: [format('travisci_token', 'Travis CI token', alphanumeric(22))],
  trello: [format('trello_token', 'Trello token', /^(?:[a-f0-9]{32}|[a-f0-9]{64})$/)],
  twilio: [format('twilio_auth_token', 'Twilio auth token', HEX32)],
  twitch: [format('twitch_token', 'Twitch token', alphanumeric(30))],
  twitter: [
    format('twitter_api_key', 'X API key', alphanumeric(25)),
    format('twitter_api_secret', 'X API secret', alphanumeric(50)),
    format('twitter_access_token', 'X access token', /^\d{15,25}-[A-Za-z0-9]{20,40}$/),
    format('twitter_access_secret', 'X access token secret', alphanumeric(45)),
  ],
  vault: [format('vault_token', 'HashiCorp Vault token', /^s\.[A-Za-z0-9]{24}$/)],
  vercel: [format('vercel_token', 'Vercel token', alphanumeric(24))],
  yandex: [],
  zendesk: [format('zendesk_token', 'Zendesk token', alphanumeric(40, 64))],
};
