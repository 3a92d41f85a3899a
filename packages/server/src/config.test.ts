import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

test('an empty environment is a whole configuration', () => {
  expect(readConfig({ SVC_PORT: '', PATH: '/bin' })).toEqual({
    host: '127.0.0.1',
    port: 8080,
    publicUrl: null,
    dataDir: resolve('data'),
    databaseUrl: null,
    valkeyUrl: null,
    trustedProxies: null,
    egressAllowCidrs: null,
    allowHttpWebhooks: false,
    metricsToken: null,
    witnesses: null,
    logLevel: 'info',
    masterKey: null,
    bootstrapPlan: 'scale',
    bootstrapFile: null,
  });
});

const WITNESS = 'witness.example.com/w1+84bec770+BO1JKMYo0cLG6ukDOJBZlWEpWSc6XGP5NjbBRhSshzfR';

test('witnesses are named by their keys, each with its address', () => {
  const text = `${WITNESS}@https://witness.example.com/w1/`;
  const [witness] = readConfig({ SVC_WITNESSES: text }).witnesses!;
  expect(witness).toEqual({ verifierKey: WITNESS, url: 'https://witness.example.com/w1' });
  expect(readConfig({ SVC_WITNESSES: `${WITNESS}@http://127.0.0.1:8080` }).witnesses).toHaveLength(1);
});

test('what Kubernetes tells the containers of a service named svc is not taken for settings', () => {
  const env = {
    SVC_PORT: 'tcp://10.0.0.1:8080',
    SVC_PORT_8080_TCP_ADDR: '10.0.0.1',
    SVC_SERVICE_HOST: '10.0.0.1',
    SVC_SERVICE_PORT: '8080',
  };
  expect(readConfig(env).port).toBe(8080);
});

test('what the command svc reads is not taken for settings, and nothing else that is unknown is passed over', () => {
  const env = { SVC_PROFILE: 'staging', SVC_BASE_URL: 'https://svc.example.com', SVC_API_KEY: 'svc_live_x' };
  expect(readConfig(env)).toEqual(readConfig({}));
  expect(() => readConfig({ ...env, SVC_API_KEYS: 'x' })).toThrow('SVC_API_KEYS is not a setting of this service.');
});

test.each([
  ['SVC_PORT', '80a', "SVC_PORT is '80a'; allowed is a whole number from 0 to 65535"],
  ['SVC_PORT', '65536', 'SVC_PORT'],
  ['SVC_PORT', '-1', 'SVC_PORT'],
  ['SVC_HOST', 'a b', "SVC_HOST is 'a b'; allowed is an IP address or a host name."],
  ['SVC_LOG_LEVEL', 'verbose', "SVC_LOG_LEVEL is 'verbose'; allowed is one of debug, info, warn, error, silent."],
  ['SVC_TRUSTED_PROXIES', '10.0.0.1/8', "SVC_TRUSTED_PROXIES is '10.0.0.1/8'; allowed is CIDR ranges separated by commas."],
  ['SVC_VALKEY_URL', 'http://:hunter2@x', 'a value that is not shown here because it is secret'],
  ['SVC_METRICS_TOKEN', 'short', 'a value that is not shown here because it is secret'],
  ['SVC_ALLOW_HTTP_WEBHOOKS', 'yes', 'true or false'],
  ['SVC_BOOTSTRAP_PLAN', 'free', "SVC_BOOTSTRAP_PLAN is 'free'; allowed is one of starter, growth, scale, enterprise."],
  ['SVC_PUBLIC_URL', 'svc.example.com', 'SVC_PUBLIC_URL'],
  ['SVC_WITNESSES', WITNESS, 'the verifier key of an Ed25519 cosigner, an @ and an https URL'],
  ['SVC_WITNESSES', `${WITNESS}@http://witness.example.com`, 'SVC_WITNESSES'],
  ['SVC_WITNESSES', `${WITNESS}@https://user@witness.example.com`, 'SVC_WITNESSES'],
  ['SVC_WITNESSES', `x${WITNESS}@https://witness.example.com`, 'SVC_WITNESSES'],
  ['SVC_WITNESSES', `${WITNESS}@https://a.example.com,${WITNESS}@https://b.example.com`, 'SVC_WITNESSES'],
  ['SVC_PUBLIC_URL', 'https://u:p@svc.example.com', 'SVC_PUBLIC_URL'],
])('%s=%s stops the start with its name, value and what is allowed', (name, value, message) => {
  expect(() => readConfig({ [name]: value })).toThrow(ConfigError);
  expect(() => readConfig({ [name]: value })).toThrow(message);
});

test.each([
  ['SVC_DATABASE_URL', 'mysql://root:hunter2@db/svc'],
  ['SVC_MASTER_KEY', 'hunter2'],
])('a wrong %s is named without being shown', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(name);
  try {
    readConfig({ [name]: value });
  } catch (err) {
    expect(String(err)).not.toContain('hunter2');
  }
});

test('an unknown SVC_ variable stops the start', () => {
  expect(() => readConfig({ SVC_PROT: '80' })).toThrow('SVC_PROT is not a setting');
});
