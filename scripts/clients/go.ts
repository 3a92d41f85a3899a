// Writes the types and services of the Go client, as gofmt would.

import {
  SECRET_ADDRESSES,
  SECRETS,
  wordsOf,
  type Api,
  type ApiType,
  type Member,
  type Operation,
  type Resource,
  DECIDING,
} from './model.ts';

const NOTE = '// Code generated from api/openapi.json by scripts/clients; DO NOT EDIT.\n';
const WIDTH = 110;

const INITIALISMS = new Set(
  'ai ap1 ap2 api csv eu gpt http iban id ip iso itin json jsonl mac nist nrp ocsf ok oss pii rmf sha256 ssn sso uk1 url us us2 us3 us5'.split(
    ' ',
  ),
);
const SPELLINGS: Readonly<Record<string, string>> = { cloudevents: 'CloudEvents', pagerduty: 'PagerDuty' };

/** Enumerations by name: where they are. Whatever has the same values there or elsewhere is of that type; it has the values of all these places. */
const ENUMS: Readonly<Record<string, readonly string[]>> = {
  Action: ['Finding.action', 'CustomPattern.action'],
  ContextSource: ['ContextItem.source'],
  CoverageStatus: ['Coverage.status'],
  CredentialType: ['Organization.credential.type'],
  DatadogSite: ['DatadogConfig.site'],
  DecidedBy: ['Assessment.probe.decided_by'],
  DeliveryState: ['Delivery.state'],
  DetectionMethod: ['FindingDetector.method'],
  DetectorStatus: ['DetectorRun.status'],
  DriftSignal: ['DriftListQuery.signal'],
  EndpointStatus: ['Webhook.status'],
  EnforcementAction: ['Enforcement.action', 'Enforcement.would'],
  ErrorCode: ['AssessmentBatchResult.data.error.code'],
  ExceptionStatus: ['PolicyExceptionState.state'],
  EventKind: ['CreateExport.kinds', 'CreateWebhook.events', 'TestEvent.event'],
  ExportFormat: ['CreateExport.format'],
  Framework: ['ComplianceReport.framework.id'],
  IntegrationKind: ['CreateIntegration.kind'],
  Interval: ['SummaryReport.interval'],
  JudgeKind: ['CreateJudge.kind'],
  KeyStatus: ['AuditKeys.keys.status'],
  KeyType: ['ApiKey.type'],
  Mode: ['Assessment.mode'],
  MonitorKind: ['DriftMonitor.kind'],
  MonitorState: ['DriftMonitor.state'],
  OnError: ['Policy.on_error.input'],
  Outcome: ['Assessment.outcome', 'PolicyRule.outcome'],
  Plan: ['Organization.plan'],
  PolicyMode: ['Policy.mode'],
  ProbeStatus: ['Probe.status'],
  Role: ['Message.role'],
  Scope: ['ApiKey.permissions'],
  Season: ['DriftMonitor.season'],
  Severity: ['Assessment.severity', 'Finding.severity'],
  Target: ['CustomPattern.applies_to'],
  UserRole: ['Session.role'],
};

/** Texts of answers that hold what an enumeration of requests names. */
const TEXTS_OF_ENUMS: Readonly<Record<string, string>> = {
  'Event.kind': 'EventKind',
  'Webhook.events': 'EventKind',
  'WebhookWithSecret.events': 'EventKind',
  'Integration.events': 'EventKind',
  'Delivery.kind': 'EventKind',
  'DeliveryDetail.kind': 'EventKind',
  'TestResult.event': 'EventKind',
};

/** Names of types that have none in the document. The others are called by the type and the member that they are of. */
const NAMES: Readonly<Record<string, string>> = {
  'Assessment.model': 'AssessedModel',
  'Assessment.policy': 'PolicyRef',
  'Assessment.subject': 'AssessedSubject',
  'AssessmentBatchResult.data': 'AssessmentBatchEntry',
  'AssessmentBatchResult.data.error': 'ItemError',
  'AssessmentBatchResult.data.error.details': 'ErrorDetail',
  'AuditKeys.keys': 'AuditKey',
  'AuditKeys.deployment': 'DeploymentKeys',
  'ComplianceReport.summary.evidenced': 'ProvisionCount',
  'CreateIntegration.config': 'IntegrationConfig',
  'DeploymentLog.witnesses': 'Witness',
  'DriftMonitorDetail.features': 'DriftFeature',
  'Event.actor': 'Actor',
  'Heartbeat.labels': 'ProbeLabels',
  'Heartbeat.queue': 'ProbeQueue',
  'Inference.input': 'Conversation',
  'Inference.model': 'ModelRef',
  'Organization.credential': 'Credential',
  'Organization.limits': 'Limits',
  'PolicyException.match': 'ExceptionMatch',
  'PolicyShadowTally.by_category': 'CategoryChange',
  'PolicyShadowTally.samples': 'ChangeSamples',
  'PolicyShadowVerdict.added': 'PolicyShadowFinding',
  'SimulationResult.unanswered': 'UnansweredQuestion',
  'StreamChunkResult.tool_calls': 'ReleasedToolCall',
  'SummaryReport.detector_faults': 'DetectorFaults',
  'SummaryReport.kinds': 'KindCount',
  'SummaryReport.policies': 'PolicyUse',
  'SummaryReport.series': 'SummaryPoint',
  'SummaryReport.sources.api': 'SourceCounts',
  'SummaryReport.usage': 'UsageCounts',
  'TelemetryEvent.subject': 'TelemetrySubject',
  'TelemetryResult.rejected': 'RejectedTelemetry',
  'TelemetryResult.rejected.error': 'TelemetryError',
  'Usage.days': 'UsageDay',
};
/** What a text is called as one of several things that a member may be. */
const TEXT_IN_UNION: Readonly<Record<string, string>> = { ModelRef: 'ModelName' };

/** Requests in which null says the same as nothing. */
const NULL_IS_NOTHING = /^(Create|Telemetry|Heartbeat|Inference|Stream|ToolCall)/;

/** Files of `clients/go/`, by name. */
export function goFiles(api: Api): Record<string, string> {
  const writer = new Writer(api);
  const services = servicesFile(api, writer);
  return { 'types_gen.go': writer.typesFile(), 'services_gen.go': services, 'types_gen_test.go': writer.listOfTypes() };
}

/** A type as Go has it. */
interface GoType {
  readonly text: string;
  /** It can be null on the wire. */
  readonly isNullable: boolean;
  /** What it is, for how it is left out. */
  readonly kind: 'scalar' | 'enum' | 'struct' | 'list' | 'interface';
}

interface Union {
  readonly members: readonly { readonly text: string; readonly first: '"' | '[' | '{' }[];
}

class Writer {
  readonly #api: Api;
  readonly #named: ReadonlyMap<string, ApiType>;
  readonly #sent: ReadonlySet<string>;
  /** Whole answers. */
  readonly #answered: ReadonlySet<string>;
  /** Where a named type comes from or goes to. */
  readonly #uses: ReadonlyMap<string, string>;
  /** Declarations by Go name. */
  readonly #declared = new Map<string, string>();
  /** Names of objects and unions without one, by what they look like. */
  readonly #nameByShape = new Map<string, string>();
  readonly #enums = new Map<string, Set<string>>();
  readonly #enumByValues = new Map<string, string>();
  readonly #unions = new Map<string, Union>();
  /** Types of the document that hold what could be any of several objects. */
  readonly #onlySent = new Set<string>();

  constructor(api: Api) {
    const listed = listTypes(api);
    const types = api.types.filter(({ name }) => name !== 'Error' && !listed.has(name));
    this.#api = { ...api, types };
    this.#named = new Map(types.map(({ name, type }) => [name, type]));
    this.#sent = namesSent(api);
    this.#answered = namesAnswered(api);
    this.#uses = usesOf(this.#api);
    const queries = api.resources.flatMap(({ words, operations }) =>
      operations.map(({ words: method, query }) => ({
        name: queryName(words, method),
        description: '',
        type: { kind: 'object', members: query } as const,
      })),
    );
    const byPlace = enumsByPlace([...types, ...queries]);
    for (const [name, places] of Object.entries(ENUMS)) {
      const values = places.flatMap((place) => {
        const found = byPlace.get(place);
        if (found === undefined) throw new Error(`there is no enumeration at ${place}`);
        this.#enumByValues.set(found.join('|'), name);
        return found;
      });
      this.#enums.set(name, new Set(values));
    }
    for (const { name, type } of types) {
      const shape = objectOf(type);
      if (shape !== null) this.#nameByShape.set(this.#shapeOf(shape, name), goName(name));
    }
    for (const { name, type, description } of types) {
      const shape = objectOf(type);
      if (shape === null) throw new Error(`${name} is no object`);
      this.#declareStruct(goName(name), name, shape.members, description, name);
    }
  }

  /** What a parameter of an operation is. */
  parameter(type: ApiType, place: string): GoType {
    return this.#typeOf(type, place, place);
  }

  /** Declares the query of an operation, and what makes parameters of it. */
  declareQuery(name: string, members: readonly Member[], fixed: Readonly<Record<string, string>>): void {
    const fields = members.map((member) => {
      const type = this.#typeOf(member.type, `${name}.${member.name}`, name);
      // Nobody asks for an empty text, or for a page of nothing: that is how these are left out.
      const isPlain = member.isRequired || type.kind === 'enum' || type.text === 'string' || member.name === 'limit';
      return { member, type, isPlain, name: goName(member.name) };
    });
    const lines = fieldLines(
      fields.map(({ member, type, isPlain, name: field }) => ({
        comment: member.description,
        cells: [field, isPlain ? type.text : `*${type.text}`],
      })),
    );
    const sets = fields.map(({ member, type, isPlain, name: field }) => {
      const value = isPlain ? `q.${field}` : `*q.${field}`;
      const set = `values.Set("${member.name}", ${valueText(type, value)})`;
      if (member.isRequired) return `\t${set}\n`;
      const isGiven = isPlain ? (type.text === 'int64' ? `q.${field} != 0` : `q.${field} != ""`) : `q.${field} != nil`;
      return `\tif ${isGiven} {\n\t\t${set}\n\t}\n`;
    });
    const fixedSets = Object.entries(fixed).map(([key, value]) => `\tvalues.Set("${key}", "${value}")\n`);
    this.#declare(
      name,
      `// ${name} narrows what is asked for. Members without a value are left out.
type ${name} struct {
${lines}}

func (q ${name}) values() url.Values {
	values := url.Values{}
${[...sets, ...fixedSets].join('')}	return values
}
`,
    );
  }

  typesFile(): string {
    const enums = [...this.#enums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, values]) => enumText(name, [...values]));
    const unions = [...this.#unions].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, union]) => unionText(name, union));
    const types = [...this.#declared].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
    return `${NOTE}
package svc

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
)

${[...types, ...unions, ...enums].join('\n')}`;
  }

  /** For the test that takes every type from JSON and back; without those that are only ever sent. */
  listOfTypes(): string {
    const names = this.#api.types.map(({ name }) => name).filter((name) => !this.#onlySent.has(name));
    const width = Math.max(...names.map((name) => name.length));
    const lines = names.map(
      (name) => `\t"${name}":${' '.repeat(width - name.length)} func() any { return new(${goName(name)}) },\n`,
    );
    return `${NOTE}
package svc

// The types by their names in the API reference.
var generatedTypes = map[string]func() any{
${lines.join('')}}
`;
  }

  #declare(name: string, text: string): void {
    if (this.#declared.has(name) || this.#unions.has(name) || this.#enums.has(name))
      throw new Error(`two Go types are called ${name}`);
    this.#declared.set(name, text);
  }

  /** `root`: the type of the document that it is a part of. */
  #declareStruct(name: string, place: string, members: readonly Member[], description: string, root: string): void {
    this.#declared.set(name, '');
    const fields = members.map((member) => {
      const type = this.#typeOf(member.type, `${place}.${member.name}`, root);
      return { member, field: goName(member.name), type, ...this.#fieldOf(type, member.isRequired, root) };
    });
    const lines = fieldLines(
      fields.map(({ member, field, text, omit }) => ({
        comment: member.description,
        cells: [field, text, `\`json:"${member.name}${omit}"\``],
      })),
    );
    const ofUnions = fields.filter(({ type }) => this.#unions.has(type.text));
    const decoded = ofUnions.filter(({ type }) => isDecodable(this.#unions.get(type.text)!));
    if (decoded.length < ofUnions.length) this.#onlySent.add(root);
    const decoder = decoded.length === 0 ? '' : `\n${decoderText(name, decoded)}`;
    this.#declared.set(
      name,
      `${typeComment(name, description, this.#uses.get(place) ?? place)}type ${name} struct {\n${lines}}\n${[
        decoder,
        this.#answered.has(place) ? requiredText(name, DECIDING[place] ?? []) : '',
        secretsText(
          name,
          fields.filter(({ member }) => SECRETS.has(member.name) || SECRET_ADDRESSES.has(`${place}.${member.name}`)),
        ),
      ].join('')}`,
    );
  }

  #fieldOf(type: GoType, isRequired: boolean, root: string): { readonly text: string; readonly omit: string } {
    const isNilable = type.kind === 'list' || type.kind === 'interface';
    const pointer = isNilable ? type.text : `*${type.text}`;
    if (isRequired) {
      if (type.isNullable) return { text: pointer, omit: '' };
      // An empty list is sent, none is not.
      return { text: type.text, omit: type.kind === 'list' ? ',omitzero' : '' };
    }
    if (type.isNullable && type.kind !== 'interface' && this.#sent.has(root) && !NULL_IS_NOTHING.test(root))
      return { text: `Nullable[${type.text}]`, omit: ',omitzero' };
    if (type.kind === 'list') return { text: type.text, omit: ',omitzero' };
    const isPlain = type.kind === 'enum' && (!type.isNullable || NULL_IS_NOTHING.test(root));
    return { text: isPlain ? type.text : pointer, omit: ',omitempty' };
  }

  #typeOf(type: ApiType, place: string, root: string): GoType {
    const plain = (text: string, kind: GoType['kind'] = 'scalar'): GoType => ({ text, isNullable: false, kind });
    switch (type.kind) {
      case 'string': {
        const known = TEXTS_OF_ENUMS[place];
        return known === undefined ? plain('string') : plain(known, 'enum');
      }
      case 'integer':
        return plain('int64');
      case 'number':
        return plain('float64');
      case 'boolean':
        return plain('bool');
      case 'any':
      case 'null':
        return { text: 'any', isNullable: true, kind: 'interface' };
      case 'enum':
        return plain(this.#enumName(type.values, place), 'enum');
      case 'ref': {
        const isNullable = objectOrNull(this.#named.get(type.name)!).isNullable;
        return { text: goName(type.name), isNullable, kind: 'struct' };
      }
      case 'array':
        return plain(`[]${this.#itemText(type.items, place, root)}`, 'list');
      case 'map':
        return plain(`map[string]${this.#itemText(type.values, place, root)}`, 'list');
      case 'object':
        return plain(this.#structName(type, place, root), 'struct');
      case 'union': {
        const members = type.members.filter(({ kind }) => kind !== 'null');
        const isNullable = members.length < type.members.length;
        if (members.length === 1) {
          const only = this.#typeOf(members[0]!, place, root);
          return { ...only, isNullable: isNullable || only.isNullable };
        }
        if (members.every(({ kind }) => ['string', 'number', 'integer', 'boolean'].includes(kind)))
          return { text: 'Scalar', isNullable, kind: 'struct' };
        return { text: this.#unionName(members, place, root), isNullable, kind: 'interface' };
      }
    }
  }

  /** Items that can be null are pointers. */
  #itemText(type: ApiType, place: string, root: string): string {
    const item = this.#typeOf(type, place, root);
    return item.isNullable && item.kind !== 'interface' && item.kind !== 'list' ? `*${item.text}` : item.text;
  }

  #enumName(values: readonly string[], place: string): string {
    const key = values.join('|');
    const name = this.#enumByValues.get(key) ?? goName(place);
    this.#enumByValues.set(key, name);
    if (!this.#enums.has(name)) this.#enums.set(name, new Set(values));
    return name;
  }

  #structName(type: ApiType & { kind: 'object' }, place: string, root: string): string {
    const shape = this.#shapeOf(type, root);
    const wanted = NAMES[place];
    const known = this.#nameByShape.get(shape);
    if (known !== undefined && (wanted === undefined || known === wanted)) return known;
    const name = wanted ?? goName(place);
    if (this.#declared.has(name)) throw new Error(`two Go types are called ${name}`);
    this.#nameByShape.set(shape, name);
    this.#declareStruct(name, place, type.members, '', root);
    return name;
  }

  #unionName(members: readonly ApiType[], place: string, root: string): string {
    const shape = JSON.stringify(withoutTexts({ kind: 'union', members }, this.#named));
    const known = this.#nameByShape.get(shape);
    if (known !== undefined) return known;
    const name = NAMES[place] ?? goName(place);
    this.#nameByShape.set(shape, name);
    const made = members.map((member) => {
      if (member.kind === 'string') return { text: TEXT_IN_UNION[name] ?? 'Text', first: '"' } as const;
      if (member.kind === 'array') {
        const item = this.#typeOf(member.items, place, root).text;
        const list = `${item}s`;
        if (!this.#declared.has(list))
          this.#declare(list, `// ${list}: some of ${item}, as one value.\ntype ${list} []${item}\n`);
        return { text: list, first: '[' } as const;
      }
      const object =
        member.kind === 'object' ? this.#structName(member, `${place}.parts`, root) : this.#typeOf(member, place, root).text;
      return { text: object, first: '{' } as const;
    });
    this.#unions.set(name, { members: made });
    return name;
  }

  /** The same for what is the same in Go. */
  #shapeOf(type: ApiType, root: string): string {
    const hasNullable = this.#sent.has(root) && !NULL_IS_NOTHING.test(root);
    return `${hasNullable} ${JSON.stringify(withoutTexts(type, this.#named))}`;
  }
}

// ---- services

function servicesFile(api: Api, writer: Writer): string {
  const names = api.resources.map(({ words }) => goWords(words));
  const width = Math.max(...names.map((name) => name.length));
  const members = names.map((name) => `\t${name.padEnd(width)} *${name}Service\n`).join('');
  const made = names.map((name) => `\t\t${`${name}:`.padEnd(width + 1)} &${name}Service{t},\n`).join('');
  const services = api.resources.map((resource) => serviceText(resource, writer)).join('\n');
  return `${NOTE}
package svc

import (
	"context"
	"io"
	"net/http"
)

// Services are the operations of the API, by what they are about.
type Services struct {
${members}}

func newServices(t *transport) Services {
	return Services{
${made}	}
}

${services}`;
}

function serviceText({ words, description, operations }: Resource, writer: Writer): string {
  const name = `${goWords(words)}Service`;
  const methods = operations.map((operation) => methodText(words, operation, name, writer)).join('\n');
  return `${comment(`${name} has the operations on ${proseWords(words)}. ${description}`, '')}type ${name} struct {
	t *transport
}

${methods}`;
}

function methodText(resource: readonly string[], operation: Operation, service: string, writer: Writer): string {
  const { words, pathParameters, query, fixedQuery, body, answer, listed } = operation;
  const place = queryName(resource, words);
  const hasQuery = query.length > 0;
  const isList = listed !== null && query.some(({ name }) => name === 'cursor');
  if (hasQuery) writer.declareQuery(place, query, fixedQuery);
  const bodyType = body === null ? null : writer.parameter(body.type, `${place}Body`);
  const parameters = [
    'ctx context.Context',
    ...pathParameters.map(({ name, type }) => `${goVariable(name)} ${writer.parameter(type, `${place}.${name}`).text}`),
    ...(bodyType === null ? [] : [`body ${body!.isRequired ? '' : '*'}${bodyType.text}`]),
    ...(hasQuery ? [`query ${place}`] : []),
    'opts ...CallOption',
  ].join(', ');
  const args = pathParameters.map(({ name }) => goVariable(name)).join(', ');
  const call = [
    `method: http.Method${operation.httpMethod[0]}${operation.httpMethod.slice(1).toLowerCase()}`,
    `path: "${operation.path}"`,
    ...(args === '' ? [] : [`args: []string{${args}}`]),
    ...(hasQuery ? ['query: query.values()'] : []),
    ...(body === null ? [] : ['body: body']),
    ...(operation.isIdempotentByKey ? ['takesKey: true'] : []),
  ].join(', ');
  const made = isList
    ? [
        `*Pages[${writer.parameter(listed, place).text}]`,
        `newPages[${writer.parameter(listed, place).text}](ctx, s.t, call{${call}}, opts)`,
      ]
    : answerTexts(answer, `s.t, call{${call}}, opts`, (type) => writer.parameter(type, place).text);
  return `${comment(methodComment(operation), '')}func (s *${service}) ${goWords(words)}(${parameters}) ${made[0]} {
	return ${made[1]}
}
`;
}

function answerTexts(answer: Operation['answer'], sent: string, textOf: (type: ApiType) => string): [string, string] {
  switch (answer) {
    case 'none':
      return ['error', `sendForNothing(ctx, ${sent})`];
    case 'text':
      return ['(string, error)', `sendForText(ctx, ${sent})`];
    case 'bytes':
      return ['(io.ReadCloser, error)', `sendForBytes(ctx, ${sent})`];
    default: {
      const text = textOf(answer);
      return [`(*${text}, error)`, `sendForJSON[${text}](ctx, ${sent})`];
    }
  }
}

function methodComment({ words, summary, description, scope, answer }: Operation): string {
  const scopes = scope === null ? [] : scope.split(' ');
  const needs = scopes.length === 0 ? '' : ` Needs the scope${scopes.length > 1 ? 's' : ''} ${scopes.join(' and ')}.`;
  const close = answer === 'bytes' ? ' Close what is returned.' : '';
  const [verb, ...rest] = summary.split(' ');
  const said = /^(Is|Can)$/.test(verb!)
    ? `tells: ${summary.toLowerCase()}?`
    : `${thirdPerson(verb!.toLowerCase())} ${rest.join(' ').replace(', or pull ', ', or pulls ')}.`;
  return `${goWords(words)} ${said}${description === '' ? '' : ` ${description}`}${needs}${close}`;
}

function thirdPerson(verb: string): string {
  if (/(s|x|ch|sh)$/.test(verb)) return `${verb}es`;
  return /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ies` : `${verb}s`;
}

// ---- texts

function valueText({ text, kind }: GoType, value: string): string {
  if (text === 'int64') return `strconv.FormatInt(${value}, 10)`;
  if (text === 'bool') return `strconv.FormatBool(${value})`;
  if (text === 'string') return value;
  if (kind === 'enum') return `string(${value})`;
  throw new Error(`a query cannot hold ${text}`);
}

function enumText(name: string, values: readonly string[]): string {
  const constants = values.map(
    (value) => [`${name}${value === '*' ? 'All' : goName(value.replaceAll('*', 'all'))}`, value] as const,
  );
  if (new Set(constants.map(([constant]) => constant)).size < constants.length)
    throw new Error(`two values of ${name} have one name`);
  const width = Math.max(...constants.map(([constant]) => constant.length));
  const lines = constants.map(([constant, value]) => `\t${constant.padEnd(width)} ${name} = ${JSON.stringify(value)}\n`);
  return `// ${name} is one of the constants below. Later versions of the service may answer others.
type ${name} string

const (
${lines.join('')})
`;
}

function isDecodable({ members }: Union): boolean {
  return new Set(members.map(({ first }) => first)).size === members.length;
}

function unionText(name: string, union: Union): string {
  const texts = union.members.map(({ text }) => text);
  const list = `${texts
    .slice(0, -1)
    .map((text) => `[${text}]`)
    .join(', ')} or [${texts.at(-1)!}]`;
  const marks = texts.map((text) => `func (${text}) is${name}() {}\n`).join('\n');
  const cases = union.members.map(({ text, first }) => `\tcase '${first}':\n\t\treturn decodeAs[${text}](data)\n`).join('');
  const decoder = isDecodable(union)
    ? `
func decode${name}(data json.RawMessage) (${name}, error) {
	switch firstByte(data) {
${cases}	default:
		return nil, nil
	}
}
`
    : '';
  return `${comment(`${name} is ${list}.`, '')}type ${name} interface {
	is${name}()
}

${marks}${decoder}`;
}

function decoderText(
  name: string,
  fields: readonly { readonly field: string; readonly member: Member; readonly type: GoType }[],
): string {
  const width = Math.max(...fields.map(({ field }) => field.length), 0);
  const shadows = fields
    .map(({ field, member }) => `\t\t${field.padEnd(width)} json.RawMessage \`json:"${member.name}"\`\n`)
    .join('');
  const decoded = fields
    .map(({ field, type }) => `\tif v.${field}, err = decode${type.text}(shadow.${field}); err != nil {\n\t\treturn err\n\t}\n`)
    .join('');
  return `// UnmarshalJSON takes what may be one of several things for what it is.
func (v *${name}) UnmarshalJSON(data []byte) (err error) {
	type plain ${name}
	shadow := struct {
		*plain
${shadows}	}{plain: (*plain)(v)}
	if err := json.Unmarshal(data, &shadow); err != nil {
		return err
	}
${decoded}	return nil
}
`;
}

/** What an answer must have to be one. */
function requiredText(name: string, members: readonly string[]): string {
  const names = members.map((member) => `"${member}"`).join(', ');
  return `\nfunc (${name}) required() []string { return ${names === '' ? 'nil' : `[]string{${names}}`} }\n`;
}

/** `fields`: what is secret. A pointer is printed as an address, so it tells nothing. */
function secretsText(name: string, fields: readonly { readonly field: string; readonly text: string }[]): string {
  const hidden = fields.flatMap(({ field, text }) => {
    if (text === 'string') return [`\tshown.${field} = hidden(v.${field})\n`];
    if (text === 'Nullable[string]') return [`\tshown.${field}.value = hidden(v.${field}.value)\n`];
    return [];
  });
  if (hidden.length === 0) return '';
  return `
// String leaves out what is secret.
func (v ${name}) String() string {
	type plain ${name}
	shown := plain(v)
${hidden.join('')}	return fmt.Sprintf("%+v", shown)
}

// GoString leaves it out, too.
func (v ${name}) GoString() string { return "svc.${name}" + v.String() }
`;
}

/** Fields with their columns aligned, as gofmt does: those that follow each other without a comment between them. */
function fieldLines(fields: readonly { readonly comment: string; readonly cells: readonly string[] }[]): string {
  const runs: { comment: string; cells: readonly string[] }[][] = [];
  for (const field of fields) {
    if (field.comment !== '' || runs.length === 0) runs.push([field]);
    else runs.at(-1)!.push(field);
  }
  return runs
    .map((run) => {
      const widths = run[0]!.cells.map((_, column) => Math.max(...run.map(({ cells }) => cells[column]!.length)));
      const lines = run.map(({ cells }) => {
        const padded = cells.map((cell, column) => (column === cells.length - 1 ? cell : cell.padEnd(widths[column]!)));
        return `\t${padded.join(' ')}\n`;
      });
      return `${comment(run[0]!.comment, '\t')}${lines.join('')}`;
    })
    .join('');
}

/** `use`: what it is for, where nothing else is said of it; or the place of a part of a type. */
function typeComment(name: string, description: string, use: string): string {
  if (description !== '') return comment(`${name}: ${description[0]!.toLowerCase()}${description.slice(1)}`, '');
  const [owner, ...members] = use.split('.');
  const isPlace = members.length > 0 && !use.includes(' ');
  return comment(`${name} is ${isPlace ? `what the member ${members.join('.')} of [${goName(owner!)}] holds` : use}.`, '');
}

function comment(text: string, indent: string): string {
  if (text === '') return '';
  const lines: string[] = [];
  let line = '';
  for (const word of text.replaceAll(/\s+/g, ' ').trim().split(' ')) {
    if (line !== '' && `${indent}// ${line} ${word}`.length > WIDTH) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((each) => `${indent}// ${each}\n`).join('');
}

// ---- names

function goName(text: string): string {
  return goWords(text.split(/[^A-Za-z0-9]+/).flatMap((part) => (part === '' ? [] : wordsOf(part))));
}

function goWords(words: readonly string[]): string {
  return words
    .filter((word) => word !== '')
    .map((word) => {
      if (INITIALISMS.has(word)) return word.toUpperCase();
      if (word.endsWith('s') && INITIALISMS.has(word.slice(0, -1)) && word !== 'us') return `${word.slice(0, -1).toUpperCase()}s`;
      return SPELLINGS[word] ?? word[0]!.toUpperCase() + word.slice(1);
    })
    .join('');
}

function goVariable(name: string): string {
  const [first, ...rest] = name.split('_');
  return `${first!}${goWords(rest)}`;
}

function proseWords(words: readonly string[]): string {
  return words.map((word) => (INITIALISMS.has(word) ? word.toUpperCase() : word)).join(' ');
}

function queryName(resource: readonly string[], method: readonly string[]): string {
  return `${goWords([...resource, ...method])}Query`;
}

// ---- the shape of types

/** What sends or answers a named type; else what it is a part of. */
function usesOf({ resources, types }: Api): Map<string, string> {
  const uses = new Map<string, string>();
  const note = (type: ApiType, use: string): void => {
    if (type.kind === 'ref') uses.set(type.name, uses.get(type.name) ?? use);
    else if (type.kind !== 'object') for (const child of children(type)) note(child, use);
  };
  for (const { words, operations } of resources) {
    for (const { words: method, body, answer, listed } of operations) {
      const link = `[${goWords(words)}Service.${goWords(method)}]`;
      if (body !== null) note(body.type, `what ${link} takes`);
      if (listed !== null) note(listed, `what ${link} lists`);
      if (typeof answer !== 'string') note(answer, `what ${link} answers`);
    }
  }
  const notePart = (type: ApiType, place: string): void => {
    note(type, place);
    if (type.kind === 'object') for (const member of type.members) notePart(member.type, `${place}.${member.name}`);
    else for (const child of children(type)) if (child.kind === 'object') notePart(child, place);
  };
  for (const { name, type } of types) notePart(type, name);
  return uses;
}

/** What decides about the Go type alone: named types as what they are, the members of unions in any order. */
function withoutTexts(type: ApiType, named: ReadonlyMap<string, ApiType>): unknown {
  switch (type.kind) {
    case 'ref':
      return withoutTexts(named.get(type.name)!, named);
    case 'array':
      return ['array', withoutTexts(type.items, named)];
    case 'map':
      return ['map', withoutTexts(type.values, named)];
    case 'union':
      return ['union', ...type.members.map((member) => JSON.stringify(withoutTexts(member, named))).sort()];
    case 'object':
      return type.members.map(({ name, type: member, isRequired }) => [name, isRequired, withoutTexts(member, named)]);
    default:
      return type;
  }
}

function objectOf(type: ApiType): (ApiType & { kind: 'object' }) | null {
  return objectOrNull(type).object;
}

function objectOrNull(type: ApiType): { readonly object: (ApiType & { kind: 'object' }) | null; readonly isNullable: boolean } {
  if (type.kind === 'object') return { object: type, isNullable: false };
  if (type.kind !== 'union') return { object: null, isNullable: false };
  const [object, ...more] = type.members.filter(({ kind }) => kind !== 'null');
  return { object: object?.kind === 'object' && more.length === 0 ? object : null, isNullable: true };
}

/** Lists are pages in Go, whatever they list. */
function listTypes({ resources }: Api): Set<string> {
  const names = new Set<string>();
  for (const { answer, listed, query } of resources.flatMap(({ operations }) => operations))
    if (listed !== null && query.some(({ name }) => name === 'cursor') && typeof answer !== 'string' && answer.kind === 'ref')
      names.add(answer.name);
  return names;
}

function namesSent({ resources, types }: Api): Set<string> {
  const byName = new Map(types.map(({ name, type }) => [name, type]));
  const sent = new Set<string>();
  const visit = (type: ApiType): void => {
    if (type.kind === 'ref') {
      if (sent.has(type.name)) return;
      sent.add(type.name);
      return visit(byName.get(type.name)!);
    }
    children(type).forEach(visit);
  };
  for (const { body } of resources.flatMap(({ operations }) => operations)) if (body !== null) visit(body.type);
  return sent;
}

function namesAnswered({ resources }: Api): Set<string> {
  const answers = resources.flatMap(({ operations }) => operations.map(({ answer }) => answer));
  return new Set(answers.flatMap((answer) => (typeof answer !== 'string' && answer.kind === 'ref' ? [answer.name] : [])));
}

function enumsByPlace(types: readonly { readonly name: string; readonly type: ApiType }[]): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  const visit = (type: ApiType, place: string): void => {
    if (type.kind === 'enum') found.set(place, type.values);
    else if (type.kind === 'object') for (const member of type.members) visit(member.type, `${place}.${member.name}`);
    else children(type).forEach((child) => visit(child, place));
  };
  for (const { name, type } of types) visit(type, name);
  return found;
}

function children(type: ApiType): readonly ApiType[] {
  switch (type.kind) {
    case 'array':
      return [type.items];
    case 'map':
      return [type.values];
    case 'union':
      return type.members;
    case 'object':
      return type.members.map(({ type: member }) => member);
    default:
      return [];
  }
}
