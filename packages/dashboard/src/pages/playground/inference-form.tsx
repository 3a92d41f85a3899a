// The inference as a form: what everyone has first, and the rest where it is asked for.

import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import {
  CALLS_MAX,
  CONTEXT_MAX,
  MESSAGES_MAX,
  nextKey,
  ROLES,
  SOURCES,
  type Draft,
  type DraftCall,
  type DraftContext,
  type DraftMessage,
} from './draft.ts';

interface Props {
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
}

export function InferenceForm({ draft, onChange }: Props): ReactNode {
  const { system, messages, input, output, context, calls, rest } = draft;
  const change = (part: Partial<Draft>) => onChange({ ...draft, ...part });
  return (
    <div className="stack">
      {system !== null && (
        <Part title="System prompt" onRemove={() => change({ system: null })}>
          <Area label="System prompt" value={system} rows={3} onChange={(text) => change({ system: text })} />
        </Part>
      )}
      <Parts
        items={messages}
        titleOf={(_message, i) => `Message ${i + 1}`}
        onChange={(items) => change({ messages: items })}
        render={(message, title, set) => <MessageFields message={message} title={title} onChange={set} />}
      />
      <Area
        label="Input"
        isTitled
        value={input}
        rows={4}
        hint="What a user asks your model."
        onChange={(text) => change({ input: text })}
      />
      <Parts
        items={context}
        titleOf={(_item, i) => `Document ${i + 1}`}
        onChange={(items) => change({ context: items })}
        render={(item, title, set) => <ContextFields item={item} title={title} onChange={set} />}
      />
      <Area
        label="Output"
        isTitled
        value={output}
        rows={3}
        hint="What the model answered. Leave it empty for the moment before it is asked."
        onChange={(text) => change({ output: text })}
      />
      <Parts
        items={calls}
        titleOf={(_call, i) => `Tool call ${i + 1}`}
        onChange={(items) => change({ calls: items })}
        render={(call, title, set) => <CallFields call={call} title={title} onChange={set} />}
      />
      <div className="row">
        {system === null && (
          <Button isSmall onClick={() => change({ system: '' })}>
            + System prompt
          </Button>
        )}
        <Button
          isSmall
          disabled={messages.length >= MESSAGES_MAX - 2}
          onClick={() => change({ messages: [...messages, { key: nextKey(), role: 'user', content: '' }] })}
        >
          + Message
        </Button>
        <Button
          isSmall
          disabled={context.length >= CONTEXT_MAX}
          onClick={() => change({ context: [...context, { key: nextKey(), id: '', source: 'retrieval', content: '' }] })}
        >
          + Document
        </Button>
        <Button
          isSmall
          disabled={calls.length >= CALLS_MAX}
          onClick={() => change({ calls: [...calls, { key: nextKey(), name: '', args: '{}' }] })}
        >
          + Tool call
        </Button>
      </div>
      {Object.keys(rest).length > 0 && (
        <p className="muted">
          Sent with it: <code>{Object.keys(rest).join(', ')}</code>. They are edited as JSON.
        </p>
      )}
    </div>
  );
}

interface PartsProps<Item> {
  readonly items: readonly Item[];
  readonly titleOf: (item: Item, i: number) => string;
  readonly onChange: (items: readonly Item[]) => void;
  readonly render: (item: Item, title: string, set: (changed: Item) => void) => ReactNode;
}

function Parts<Item extends { readonly key: number }>({ items, titleOf, onChange, render }: PartsProps<Item>): ReactNode {
  return items.map((item, i) => {
    const title = titleOf(item, i);
    return (
      <Part key={item.key} title={title} onRemove={() => onChange(items.toSpliced(i, 1))}>
        {render(item, title, (changed) => onChange(items.with(i, changed)))}
      </Part>
    );
  });
}

interface PartProps {
  readonly title: string;
  readonly onRemove: () => void;
  readonly children: ReactNode;
}

function Part({ title, onRemove, children }: PartProps): ReactNode {
  return (
    <fieldset className="playground-part">
      <legend className="visually-hidden">{title}</legend>
      <div className="row">
        <strong className="grow">{title}</strong>
        <Button kind="quiet" isSmall aria-label={`Remove ${title}`} onClick={onRemove}>
          Remove
        </Button>
      </div>
      {children}
    </fieldset>
  );
}

interface AreaProps {
  readonly label: string;
  /** Its label is shown above it; else what it is a part of says what it is. */
  readonly isTitled?: boolean;
  readonly hint?: string;
  readonly value: string;
  readonly rows: number;
  readonly isCode?: boolean;
  readonly onChange: (text: string) => void;
}

function Area({ label, isTitled = false, hint, value, rows, isCode = false, onChange }: AreaProps): ReactNode {
  return (
    <label className="field">
      <span className={isTitled ? undefined : 'visually-hidden'}>{label}</span>
      <textarea
        className={isCode ? 'input mono' : 'input'}
        rows={rows}
        spellCheck={false}
        autoComplete="off"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      {hint !== undefined && <small>{hint}</small>}
    </label>
  );
}

interface MessageProps {
  readonly message: DraftMessage;
  readonly title: string;
  readonly onChange: (message: DraftMessage) => void;
}

function MessageFields({ message, title, onChange }: MessageProps): ReactNode {
  return (
    <>
      <Choice
        label={`Role of ${title.toLowerCase()}`}
        values={ROLES}
        value={message.role}
        onChange={(role) => onChange({ ...message, role })}
      />
      <Area label={title} value={message.content} rows={2} onChange={(content) => onChange({ ...message, content })} />
    </>
  );
}

interface ContextProps {
  readonly item: DraftContext;
  readonly title: string;
  readonly onChange: (item: DraftContext) => void;
}

function ContextFields({ item, title, onChange }: ContextProps): ReactNode {
  return (
    <>
      <div className="row">
        <Choice
          label={`Source of ${title.toLowerCase()}`}
          values={SOURCES}
          value={item.source}
          onChange={(source) => onChange({ ...item, source })}
        />
        <Line
          label={`Name of ${title.toLowerCase()}`}
          hint="Name, if it has one"
          value={item.id}
          onChange={(id) => onChange({ ...item, id })}
        />
      </div>
      <Area label={title} value={item.content} rows={3} onChange={(content) => onChange({ ...item, content })} />
    </>
  );
}

interface CallProps {
  readonly call: DraftCall;
  readonly title: string;
  readonly onChange: (call: DraftCall) => void;
}

function CallFields({ call, title, onChange }: CallProps): ReactNode {
  return (
    <>
      <Line
        label={`Name of ${title.toLowerCase()}`}
        hint="The tool, such as send_mail"
        value={call.name}
        onChange={(name) => onChange({ ...call, name })}
      />
      <Area
        label={`Arguments of ${title.toLowerCase()}, as JSON`}
        isCode
        value={call.args}
        rows={3}
        onChange={(args) => onChange({ ...call, args })}
      />
    </>
  );
}

interface LineProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

function Line({ label, hint, value, onChange }: LineProps): ReactNode {
  return (
    <input
      className="input playground-line"
      aria-label={label}
      placeholder={hint}
      maxLength={200}
      spellCheck={false}
      autoComplete="off"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly values: readonly Value[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

function Choice<Value extends string>({ label, values, value, onChange }: ChoiceProps<Value>): ReactNode {
  return (
    <select className="input fit" aria-label={label} value={value} onChange={(event) => onChange(event.target.value as Value)}>
      {values.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </select>
  );
}
