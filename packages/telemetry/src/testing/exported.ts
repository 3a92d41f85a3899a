// Spans as the exporters of the OpenTelemetry SDK send them: the real bytes, taken from the wire.

import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OtlpEncoding } from '../otlp/answer.ts';

/** A span to be. Attributes may hold lists and objects, which the SDK's types do not know and its encoders do. */
export interface SpanSpec {
  readonly traceId?: string;
  readonly spanId?: string;
  readonly startNs?: bigint;
  readonly endNs?: bigint;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly events?: readonly { readonly name: string; readonly attributes?: Readonly<Record<string, unknown>> }[];
  readonly isError?: boolean;
  readonly resource?: Readonly<Record<string, unknown>>;
}

/** A span of the SDK that has ended. */
export function readableSpan(spec: SpanSpec): ReadableSpan {
  const { traceId = '0af7651916cd43dd8448eb211c80319c', spanId = 'b7ad6b7169203331' } = spec;
  const startNs = spec.startNs ?? 1_772_366_400_000_000_000n;
  const endNs = spec.endNs ?? startNs + 822_300_000n;
  return {
    name: 'chat gpt-x',
    kind: SpanKind.CLIENT,
    spanContext: () => ({ traceId, spanId, traceFlags: 1 }),
    startTime: hrTime(startNs),
    endTime: hrTime(endNs),
    status: { code: spec.isError === true ? SpanStatusCode.ERROR : SpanStatusCode.UNSET },
    attributes: spec.attributes ?? {},
    links: [],
    events: (spec.events ?? []).map(({ name, attributes = {} }) => ({
      name,
      time: hrTime(startNs),
      attributes,
    })),
    duration: [0, 0],
    ended: true,
    resource: resourceFromAttributes(spec.resource ?? {}),
    instrumentationScope: { name: 'test' },
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

function hrTime(ns: bigint): [number, number] {
  return [Number(ns / 1_000_000_000n), Number(ns % 1_000_000_000n)];
}

/** A receiver that keeps the bodies it gets, and takes all of them. */
export class Receiver {
  readonly #server: Server;
  readonly #exporters: Readonly<Record<OtlpEncoding, SpanExporter>>;
  #body = Buffer.alloc(0);

  static async start(): Promise<Receiver> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Receiver(server);
  }

  private constructor(server: Server) {
    this.#server = server;
    server.on('request', (req, res) => {
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => {
        this.#body = Buffer.concat(chunks);
        res.end(req.headers['content-type'] === 'application/json' ? '{}' : '');
      });
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`;
    this.#exporters = { json: new JsonExporter({ url }), protobuf: new ProtobufExporter({ url }) };
  }

  /** The body by which the SDK exports `spans`. */
  async exported(encoding: OtlpEncoding, spans: readonly ReadableSpan[]): Promise<Buffer> {
    await new Promise<void>((resolve, reject) => {
      this.#exporters[encoding].export([...spans], ({ error }) => (error === undefined ? resolve() : reject(error)));
    });
    return this.#body;
  }

  async stop(): Promise<void> {
    await Promise.all(Object.values(this.#exporters).map((exporter) => exporter.shutdown()));
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
