// A server of models for tests: the chat-completions protocol over real HTTP, with whatever answer and manners the test asks for.

import { startReceiver, type Receiver } from './receiver.ts';

type Json = ReturnType<typeof JSON.parse>;

export interface ModelServer {
  /** Base of the API, with `/v1`. */
  readonly url: string;
  readonly receiver: Receiver;
  /** Bodies of the requests that arrived, parsed. */
  readonly asked: Json[];
  /** What the model says from now on, after `delayMs`. `content`: the same to all, or by what is asked. */
  says(content: string | ((request: Json) => string), delayMs?: number): void;
  close(): Promise<void>;
}

/** Starts one that says that all is well, as each kind of judge does. */
export async function startModelServer(): Promise<ModelServer> {
  const receiver = await startReceiver();
  const asked: Json[] = [];
  function says(content: string | ((request: Json) => string), delayMs = 0): void {
    receiver.behave((res, { body }) => {
      const request: Json = JSON.parse(body);
      asked.push(request);
      const message = { role: 'assistant', content: typeof content === 'string' ? content : content(request) };
      const answer = {
        id: 'chatcmpl-1',
        object: 'chat.completion',
        model: request.model,
        choices: [{ index: 0, message, finish_reason: 'stop' }],
      };
      const send = () => res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
      if (delayMs === 0) send();
      else setTimeout(send, delayMs);
    });
  }
  says((request) => (String(request.messages[0].role) === 'system' ? '{"violation": 0}' : 'safe'));
  return { url: `${receiver.url}/v1`, receiver, asked, says, close: () => receiver.close() };
}
