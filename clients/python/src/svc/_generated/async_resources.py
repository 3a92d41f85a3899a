"""
The operations of the API, one class a resource.

Generated from api/openapi.json by scripts/clients: change that, not this.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, Mapping, Sequence
from typing import Any, Literal

from .._guard_stream import AsyncGuardedStream
from .._omit import Omit, given, omit
from .._pages import AsyncPages
from .._requests import Call, RequestOptions, segment, segments
from .._transport import AsyncDownload, AsyncTransport
from . import params, types


class AsyncResources:
    """All resources."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport
        self.assessments = AsyncAssessments(transport)
        self.streams = AsyncStreams(transport)
        self.events = AsyncEvents(transport)
        self.exports = AsyncExports(transport)
        self.audit = AsyncAudit(transport)
        self.drift = AsyncDrift(transport)
        self.policy = AsyncPolicy(transport)
        self.judges = AsyncJudges(transport)
        self.probes = AsyncProbes(transport)
        self.webhooks = AsyncWebhooks(transport)
        self.integrations = AsyncIntegrations(transport)
        self.inboxes = AsyncInboxes(transport)
        self.api_keys = AsyncApiKeys(transport)
        self.service_accounts = AsyncServiceAccounts(transport)
        self.sessions = AsyncSessions(transport)
        self.sso = AsyncSso(transport)
        self.organization = AsyncOrganization(transport)
        self.reports = AsyncReports(transport)
        self.health = AsyncHealth(transport)

    async def assess(
        self,
        *,
        input: str | Sequence[params.Message] | Omit = omit,
        output: str | Sequence[params.Message] | Omit | None = omit,
        context: Sequence[params.ContextItem] | Omit = omit,
        tool_calls: Sequence[params.ToolCall] | Omit = omit,
        model: str | params.Model | Omit = omit,
        subject: params.Subject | Omit = omit,
        external_id: str | Omit = omit,
        deadline_ms: int | Omit = omit,
        occurred_at: str | Omit = omit,
        metadata: Mapping[str, str] | Omit = omit,
        options: RequestOptions | None = None,
    ) -> types.Assessment:
        """
        Assess an inference.

        Answers 200 whatever the outcome, once the assessment is committed to the audit trail. `outcome` is
        the worst of the findings; `coverage` says what was read and by which detectors. Needs
        `assess:create`.

        Args:
            input: What the model is asked. At least one of `input`, `output` is needed.
            output: What the model answered.
            context: Documents, tool results and memories in the prompt.
            tool_calls: Calls that the model wants to make.
            model: The model, by name or in parts.
            external_id: Your own id, to find the assessment by.
            deadline_ms: Time to decide in. Default: the policy's.
            occurred_at: When the inference happened, ISO 8601 with an offset or Z. Default: now.
            metadata: Your own pairs, kept with the assessment.
        """
        return await self._transport.json(
            types.Assessment,
            Call(
                "POST",
                "/v1/assessments",
                body={
                    "input": input,
                    "output": output,
                    "context": context,
                    "tool_calls": tool_calls,
                    "model": model,
                    "subject": subject,
                    "external_id": external_id,
                    "deadline_ms": deadline_ms,
                    "occurred_at": occurred_at,
                    "metadata": metadata,
                },
                takes_key=True,
            ),
            options,
        )

    def guard_stream(
        self,
        source: AsyncIterable[str],
        *,
        input: str | Sequence[params.Message],
        context: Sequence[params.ContextItem] | Omit = omit,
        model: str | params.Model | Omit = omit,
        subject: params.Subject | Omit = omit,
        external_id: str | Omit = omit,
        deadline_ms: int | Omit = omit,
        occurred_at: str | Omit = omit,
        metadata: Mapping[str, str] | Omit = omit,
        options: RequestOptions | None = None,
    ) -> AsyncGuardedStream:
        """
        Release what a model writes as it turns out to be safe.

        `async for text in client.guard_stream(model, input=question): show(text)`. The source is left alone
        where the input is blocked. Needs `assess:create`.

        Args:
            source: Pieces of text, as a model writes them.
            input: What the model is asked.
            context: Documents, tool results and memories in the prompt.
            model: The model, by name or in parts.
            external_id: Your own id, to find the assessment by.
            deadline_ms: Time to decide in. Default: the policy's.
            occurred_at: When the inference happened, ISO 8601 with an offset or Z. Default: now.
            metadata: Your own pairs, kept with the assessment.
        """
        return AsyncGuardedStream(
            self._transport,
            source,
            given(
                {
                    "input": input,
                    "context": context,
                    "model": model,
                    "subject": subject,
                    "external_id": external_id,
                    "deadline_ms": deadline_ms,
                    "occurred_at": occurred_at,
                    "metadata": metadata,
                }
            ),
            options,
        )


class AsyncAssessments:
    """Operations on assessments."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        input: str | Sequence[params.Message] | Omit = omit,
        output: str | Sequence[params.Message] | Omit | None = omit,
        context: Sequence[params.ContextItem] | Omit = omit,
        tool_calls: Sequence[params.ToolCall] | Omit = omit,
        model: str | params.Model | Omit = omit,
        subject: params.Subject | Omit = omit,
        external_id: str | Omit = omit,
        deadline_ms: int | Omit = omit,
        occurred_at: str | Omit = omit,
        metadata: Mapping[str, str] | Omit = omit,
        options: RequestOptions | None = None,
    ) -> types.Assessment:
        """
        Assess an inference.

        Answers 200 whatever the outcome, once the assessment is committed to the audit trail. `outcome` is
        the worst of the findings; `coverage` says what was read and by which detectors. Needs
        `assess:create`.

        Args:
            input: What the model is asked. At least one of `input`, `output` is needed.
            output: What the model answered.
            context: Documents, tool results and memories in the prompt.
            tool_calls: Calls that the model wants to make.
            model: The model, by name or in parts.
            external_id: Your own id, to find the assessment by.
            deadline_ms: Time to decide in. Default: the policy's.
            occurred_at: When the inference happened, ISO 8601 with an offset or Z. Default: now.
            metadata: Your own pairs, kept with the assessment.
        """
        return await self._transport.json(
            types.Assessment,
            Call(
                "POST",
                "/v1/assessments",
                body={
                    "input": input,
                    "output": output,
                    "context": context,
                    "tool_calls": tool_calls,
                    "model": model,
                    "subject": subject,
                    "external_id": external_id,
                    "deadline_ms": deadline_ms,
                    "occurred_at": occurred_at,
                    "metadata": metadata,
                },
                takes_key=True,
            ),
            options,
        )

    def list(
        self,
        *,
        outcome: Literal["allowed", "flagged", "blocked"] | Omit = omit,
        category: str | Omit = omit,
        model: str | Omit = omit,
        actor: str | Omit = omit,
        subject: str | Omit = omit,
        external_id: str | Omit = omit,
        probe_id: str | Omit = omit,
        since: str | Omit = omit,
        until: str | Omit = omit,
        q: str | Omit = omit,
        limit: int | Omit = omit,
        cursor: str | Omit = omit,
        options: RequestOptions | None = None,
    ) -> AsyncPages[types.Assessment]:
        """
        List assessments.

        Newest first. Test credentials see the test assessments of the last 24 hours, filtered by `outcome`
        and `external_id` alone. Needs `events:read`.

        Args:
            outcome: Assessments with this outcome.
            category: With a finding of this category or family: `data.pii`, `data`.
            model: The model’s name.
            actor: Id of the credential that caused it.
            subject: User, session or agent of the inference.
            external_id: The caller’s own id of the inference.
            probe_id: The probe that it is about, or that saw the inference.
            since: Recorded at or after. The time of the commit, which no caller chooses.
            until: Recorded before.
            q: Part of a kind, category, model, subject, actor or external id.
            limit: Items in a page.
            cursor: `next_cursor` of the page before.
        """
        return self._transport.pages(
            types.Assessment,
            Call(
                "GET",
                "/v1/assessments",
                query={
                    "outcome": outcome,
                    "category": category,
                    "model": model,
                    "actor": actor,
                    "subject": subject,
                    "external_id": external_id,
                    "probe_id": probe_id,
                    "since": since,
                    "until": until,
                    "q": q,
                    "limit": limit,
                    "cursor": cursor,
                },
            ),
            options,
        )

    async def create_batch(
        self,
        *,
        items: Sequence[params.Inference],
        options: RequestOptions | None = None,
    ) -> types.AssessmentBatchResult:
        """
        Assess many inferences.

        Each item costs one assessment. One bad item never fails the others. Needs `assess:create`.

        Args:
            items: Up to the plan’s batch size. One that is not valid is answered with its error and fails no
                other.
        """
        return await self._transport.json(
            types.AssessmentBatchResult,
            Call("POST", "/v1/assessments/batch", body={"items": items}, takes_key=True),
            options,
        )

    async def get(self, assessment_id: str, *, options: RequestOptions | None = None) -> types.Assessment:
        """
        Read an assessment.

        Needs `events:read`.

        Args:
            assessment_id: The assessment’s id, `asm_…`.
        """
        return await self._transport.json(
            types.Assessment,
            Call("GET", f"/v1/assessments/{segment(assessment_id)}"),
            options,
        )


class AsyncStreams:
    """Operations on streams."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        input: str | Sequence[params.Message],
        context: Sequence[params.ContextItem] | Omit = omit,
        model: str | params.Model | Omit = omit,
        subject: params.Subject | Omit = omit,
        external_id: str | Omit = omit,
        deadline_ms: int | Omit = omit,
        occurred_at: str | Omit = omit,
        metadata: Mapping[str, str] | Omit = omit,
        options: RequestOptions | None = None,
    ) -> types.Stream:
        """
        Assess an answer while it is written.

        Assesses the input, and opens a stream for the answer. Costs one assessment; its chunks cost nothing.
        At most 100 are open at a time. One that hears nothing for 60 s is closed and recorded as far as it
        came. Needs `assess:create`.

        Args:
            input: What the model is asked.
            context: Documents, tool results and memories in the prompt.
            model: The model, by name or in parts.
            external_id: Your own id, to find the assessment by.
            deadline_ms: Time to decide in. Default: the policy's.
            occurred_at: When the inference happened, ISO 8601 with an offset or Z. Default: now.
            metadata: Your own pairs, kept with the assessment.
        """
        return await self._transport.json(
            types.Stream,
            Call(
                "POST",
                "/v1/assessments/streams",
                body={
                    "input": input,
                    "context": context,
                    "model": model,
                    "subject": subject,
                    "external_id": external_id,
                    "deadline_ms": deadline_ms,
                    "occurred_at": occurred_at,
                    "metadata": metadata,
                },
                takes_key=True,
            ),
            options,
        )

    async def append_chunk(
        self,
        stream_id: str,
        *,
        seq: int,
        delta: str | params.StreamChunkDelta | Omit = omit,
        final: bool | Omit = omit,
        options: RequestOptions | None = None,
    ) -> types.StreamChunkResult:
        """
        Send what the model has written since.

        Answers what may be shown now. Send chunks one after another: a gap in `seq` is a 409, and a chunk
        that is sent again is answered as before. At most 50 a second and 1 MiB a stream. The last chunk, with
        `final`, answers the whole assessment, committed to the audit trail. Once `outcome` is `blocked`
        nothing more is released: stop the model and send the last chunk. Needs `assess:create`.

        Args:
            stream_id: The stream’s id, `str_…`.
            seq: Counts the chunks, from 0 or 1.
            delta: What the model has written since: a text, or `choices[0].delta` of a chunk of OpenAI’s chat
                completions, of which `content` and `tool_calls` are read.
            final: Nothing follows.
        """
        return await self._transport.json(
            types.StreamChunkResult,
            Call(
                "POST",
                f"/v1/assessments/streams/{segment(stream_id)}/chunks",
                body={"seq": seq, "delta": delta, "final": final},
                takes_key=True,
            ),
            options,
        )


class AsyncEvents:
    """Operations on events."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        kind: params.EventKind | Omit = omit,
        outcome: Literal["allowed", "flagged", "blocked"] | Omit = omit,
        category: str | Omit = omit,
        model: str | Omit = omit,
        actor: str | Omit = omit,
        subject: str | Omit = omit,
        external_id: str | Omit = omit,
        probe_id: str | Omit = omit,
        since: str | Omit = omit,
        until: str | Omit = omit,
        q: str | Omit = omit,
        after_sequence: int | Omit = omit,
        wait_s: int | Omit = omit,
        limit: int | Omit = omit,
        cursor: str | Omit = omit,
        options: RequestOptions | None = None,
    ) -> AsyncPages[types.Event]:
        """
        List events, or pull them as they come.

        Newest first. With `after_sequence` it is a feed: events after that one, oldest first, waiting up to
        `wait_s` for the first. Read without filters, the sequence has no gaps, which proves that nothing was
        missed. Needs `events:read`.

        Args:
            kind: Events of this kind.
            outcome: Assessments with this outcome.
            category: With a finding of this category or family: `data.pii`, `data`.
            model: The model’s name.
            actor: Id of the credential that caused it.
            subject: User, session or agent of the inference.
            external_id: The caller’s own id of the inference.
            probe_id: The probe that it is about, or that saw the inference.
            since: Recorded at or after. The time of the commit, which no caller chooses.
            until: Recorded before.
            q: Part of a kind, category, model, subject, actor or external id.
            after_sequence: Pull feed: events after this one, oldest first; 0: from the oldest that is kept.
                Not with `cursor`.
            wait_s: With `after_sequence`: how long to wait for the first.
            limit: Items in a page.
            cursor: `next_cursor` of the page before.
        """
        return self._transport.pages(
            types.Event,
            Call(
                "GET",
                "/v1/events",
                query={
                    "kind": kind,
                    "outcome": outcome,
                    "category": category,
                    "model": model,
                    "actor": actor,
                    "subject": subject,
                    "external_id": external_id,
                    "probe_id": probe_id,
                    "since": since,
                    "until": until,
                    "q": q,
                    "after_sequence": after_sequence,
                    "wait_s": wait_s,
                    "limit": limit,
                    "cursor": cursor,
                },
            ),
            options,
        )

    async def get(self, event_id: str, *, options: RequestOptions | None = None) -> types.Event:
        """
        Read an event.

        Needs `events:read`.

        Args:
            event_id: The event’s id, `evt_…`.
        """
        return await self._transport.json(
            types.Event,
            Call("GET", f"/v1/events/{segment(event_id)}"),
            options,
        )


class AsyncExports:
    """Operations on exports."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        format: Literal["jsonl", "csv", "parquet", "ocsf", "cloudevents"],
        since: str | Omit = omit,
        until: str | Omit = omit,
        kinds: Sequence[params.EventKind] | Omit = omit,
        held_size: int | Omit = omit,
        disclosures: bool | Omit = omit,
        options: RequestOptions | None = None,
    ) -> types.Export:
        """
        Export a stretch of the trail as an evidence bundle.

        The bundle is a zip with the events as they are in the log, what they disclose, the signed checkpoint,
        and the hashes that lead from one to the other: anyone can check it, offline and without trusting this
        service. It is made beside the requests and kept for 7 days. Needs `events:read reports:read`.

        Args:
            format: What the bundle has beside the evidence, which is JSON lines. `jsonl`: nothing.
            since: Recorded at or after. Default: the oldest that is kept.
            until: Recorded before. Default: all that was committed when it was asked for.
            kinds: Only events of these kinds are disclosed and in the view; of the others the bundle has the
                public facts, so that it can be checked all the same.
            held_size: The size of a checkpoint that you hold: the bundle then has the proof that the log only
                grew since.
            disclosures: False: without what leaves commit to without telling, such as subjects, addresses and
                data.
        """
        return await self._transport.json(
            types.Export,
            Call(
                "POST",
                "/v1/exports",
                body={
                    "format": format,
                    "since": since,
                    "until": until,
                    "kinds": kinds,
                    "held_size": held_size,
                    "disclosures": disclosures,
                },
                takes_key=True,
            ),
            options,
        )

    def list(
        self,
        *,
        limit: int | Omit = omit,
        cursor: str | Omit = omit,
        options: RequestOptions | None = None,
    ) -> AsyncPages[types.Export]:
        """
        List exports.

        Needs `events:read reports:read`.

        Args:
            limit: Items in a page.
            cursor: `next_cursor` of the page before.
        """
        return self._transport.pages(
            types.Export,
            Call("GET", "/v1/exports", query={"limit": limit, "cursor": cursor}),
            options,
        )

    async def get(self, export_id: str, *, options: RequestOptions | None = None) -> types.Export:
        """
        Read how far an export has come, and where it can be downloaded.

        Needs `events:read reports:read`.

        Args:
            export_id: The export’s id, `exp_…`.
        """
        return await self._transport.json(
            types.Export,
            Call("GET", f"/v1/exports/{segment(export_id)}"),
            options,
        )

    async def delete(self, export_id: str, *, options: RequestOptions | None = None) -> types.DeletedExport:
        """
        Delete an export.

        One that is under way ends. What was exported stays in the trail. Needs `events:read reports:read`.

        Args:
            export_id: The export’s id, `exp_…`.
        """
        return await self._transport.json(
            types.DeletedExport,
            Call("DELETE", f"/v1/exports/{segment(export_id)}"),
            options,
        )

    def download(self, export_id: str, *, options: RequestOptions | None = None) -> AsyncDownload:
        """
        Download an evidence bundle.

        A download that broke off goes on with `Range`; `If-Range` with the `ETag` makes sure that it is the
        same bundle. An organization may have 8 under way on each node, and a client that takes nothing for a
        minute is cut off. Needs `events:read reports:read`.

        Args:
            export_id: The export’s id, `exp_…`.
        """
        return self._transport.bytes(Call("GET", f"/v1/exports/{segment(export_id)}/bundle"), options)


class AsyncAudit:
    """Operations on audit."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get_checkpoint(self, *, size: int | Omit = omit, options: RequestOptions | None = None) -> str:
        """
        Read a checkpoint.

        A signed note (c2sp.org/tlog-checkpoint): origin, size and root of the organization’s log. Keep the
        last one you have seen, and ask for the proof that the next one grew out of it. Of those older than an
        hour the last of each hour is kept. Needs `events:read`.

        Args:
            size: The checkpoint of exactly this size. Absent: the latest.
        """
        return await self._transport.text(Call("GET", "/v1/audit/checkpoint", query={"size": size}), options)

    async def prove_consistency(
        self,
        *,
        from_: int,
        to: int | Omit = omit,
        options: RequestOptions | None = None,
    ) -> types.ConsistencyProof:
        """
        Prove that the log only grew.

        The proof that the tree of `to` leaves begins with that of `from` leaves: that nothing before was
        changed or removed. Needs `events:read`.

        Args:
            from_: Size of the older tree: that of the checkpoint you hold.
            to: Size of the newer tree. Absent: that of the latest checkpoint.
        """
        return await self._transport.json(
            types.ConsistencyProof,
            Call("GET", "/v1/audit/consistency", query={"from": from_, "to": to}),
            options,
        )

    def get_tile(self, tile_path: str, *, options: RequestOptions | None = None) -> AsyncDownload:
        """
        Read a tile of the log.

        As c2sp.org/tlog-tiles has them: 256 hashes of 32 bytes, or with `.p/<W>` the first W of them; under
        `entries/` the leaves themselves, each after its length in two bytes, for as long as the events are
        kept. An organization reads one bundle of entries at a time, else it is told `unavailable`. Needs
        `events:read`.

        Args:
            tile_path: `<L>/<N>[.p/<W>]` or `entries/<N>[.p/<W>]`; `N` in groups of three digits, `x001/234`.
        """
        return self._transport.bytes(Call("GET", f"/v1/audit/tile/{segments(tile_path)}"), options)

    async def list_keys(self, *, options: RequestOptions | None = None) -> types.AuditKeys:
        """
        List the keys that sign checkpoints.

        Who checks checkpoints keeps these keys himself, from before he has to trust them; see the guide.
        Needs `events:read`.
        """
        return await self._transport.json(types.AuditKeys, Call("GET", "/v1/audit/keys"), options)

    async def prove_event(
        self,
        event_id: str,
        *,
        size: int | Omit = omit,
        options: RequestOptions | None = None,
    ) -> types.EventProof:
        """
        Prove that an event is in the log.

        A kilobyte that anybody can check without this service. As `text/plain` it is a proof file
        (c2sp.org/tlog-proof). Waits for the log, which is a second behind the trail at most. Needs
        `events:read`.

        Args:
            event_id: The event’s id, `evt_…`.
            size: Against the published checkpoint of this size. Absent: the latest.
        """
        return await self._transport.json(
            types.EventProof,
            Call("GET", f"/v1/events/{segment(event_id)}/proof", query={"size": size}),
            options,
        )

    async def redact_event(
        self,
        *,
        event_id: str,
        fields: Sequence[str],
        basis: str,
        options: RequestOptions | None = None,
    ) -> types.Redaction:
        """
        Erase values of an event.

        For good: the values and their salts are deleted, the event’s leaf and every proof stay as they are.
        What was delivered or exported before is out of reach; deliveries that are still under way go on
        without the values. The trail keeps who did it and why, as `audit.redacted`. Needs `admin:*`.

        Args:
            event_id: The event’s id, `evt_…`.
            fields: Of every event `actor.id` (of a user) and `actor.ip`; of `inference.*` also `subject`,
                `external_id`, `metadata`, `previews` and `text`; of keys, accounts, sessions, sign-in,
                webhooks, integrations, judges, probes and the organization also `data`. Where the text is
                kept, `subject`, `external_id`, `metadata` and `previews` take `text` along.
            basis: Why: the request or the law. It stays in the trail, so it names nobody.
        """
        return await self._transport.json(
            types.Redaction,
            Call(
                "POST",
                "/v1/audit/redactions",
                body={"event_id": event_id, "fields": fields, "basis": basis},
                takes_key=True,
            ),
            options,
        )

    async def get_deployment_log(self, *, options: RequestOptions | None = None) -> types.DeploymentLog:
        """
        Read the deployment’s log, with a proof that it holds your checkpoint.

        Every minute the newest checkpoint of each organization becomes a leaf of one log over all of them,
        whose own checkpoints witnesses cosign. A salt hides organizations from each other. 404 until the
        first checkpoint of the organization is in it. Needs `events:read`.
        """
        return await self._transport.json(types.DeploymentLog, Call("GET", "/v1/audit/deployment"), options)


class AsyncDrift:
    """Operations on drift."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        state: Literal["learning", "watching", "suspect", "sustained"] | Omit = omit,
        model: str | Omit = omit,
        group: str | Omit = omit,
        signal: params.DriftSignal | Omit = omit,
        limit: int | Omit = omit,
        cursor: str | Omit = omit,
        options: RequestOptions | None = None,
    ) -> AsyncPages[types.DriftMonitor]:
        """
        List what is watched for drift.

        Each monitor watches one signal of one model in one group of probes. Newest first. What test keys do
        is not watched: they see none. Needs `probes:read`.

        Args:
            state: Monitors in this state.
            model: Monitors of this model.
            group: Monitors of this group of probes; `api`: of what is assessed over the API.
            signal: Monitors of this signal.
            limit: Items in a page.
            cursor: `next_cursor` of the page before.
        """
        return self._transport.pages(
            types.DriftMonitor,
            Call(
                "GET",
                "/v1/drift",
                query={
                    "state": state,
                    "model": model,
                    "group": group,
                    "signal": signal,
                    "limit": limit,
                    "cursor": cursor,
                },
            ),
            options,
        )

    async def get(
        self,
        monitor_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> types.DriftMonitorDetail:
        """
        Read a monitor, what it found, and its hours for a chart.

        Needs `probes:read`.

        Args:
            monitor_id: The monitor’s id, `mon_…`.
        """
        return await self._transport.json(
            types.DriftMonitorDetail,
            Call("GET", f"/v1/drift/{segment(monitor_id)}"),
            options,
        )

    async def rebaseline(
        self,
        monitor_id: str,
        *,
        note: str | Omit = omit,
        options: RequestOptions | None = None,
    ) -> types.DriftMonitor:
        """
        Take the level of now for the usual one.

        Gives up the baseline. The new one is learned from what was observed since the drift began, as far as
        it is known, and from what comes. A drift that persists ends with it. The trail keeps who did it, and
        the digests of both baselines. Needs `probes:write`.

        Args:
            monitor_id: The monitor’s id, `mon_…`.
            note: Why; it stands in the trail.
        """
        return await self._transport.json(
            types.DriftMonitor,
            Call("POST", f"/v1/drift/{segment(monitor_id)}/rebaseline", body={"note": note}, takes_key=True),
            options,
        )

    async def acknowledge(
        self,
        monitor_id: str,
        *,
        note: str | Omit = omit,
        options: RequestOptions | None = None,
    ) -> types.DriftMonitor:
        """
        Say that somebody takes care of a drift.

        Of the drift that persists, once; otherwise a 409. Nothing else changes: it recovers, or is
        rebaselined, by itself. Needs `probes:write`.

        Args:
            monitor_id: The monitor’s id, `mon_…`.
            note: Why; it stands in the trail.
        """
        return await self._transport.json(
            types.DriftMonitor,
            Call("POST", f"/v1/drift/{segment(monitor_id)}/acknowledge", body={"note": note}, takes_key=True),
            options,
        )


class AsyncPolicy:
    """Operations on policy."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(self, *, options: RequestOptions | None = None) -> types.PolicyVersion:
        """
        Read the policy in force.

        Needs `policy:read`.
        """
        return await self._transport.json(types.PolicyVersion, Call("GET", "/v1/policy"), options)

    async def put(
        self,
        policy: params.Policy | Mapping[str, Any],
        *,
        options: RequestOptions | None = None,
    ) -> types.PolicyVersion:
        """
        Replace the policy.

        Stores the document as the next version and puts it in force. With `If-Match` only if that version is
        still the current one. The document in force sent again changes nothing. Needs `policy:write`.

        Args:
            policy: As a whole. One that was read is changed as `{**answer.policy.raw, …}`.
        """
        return await self._transport.json(
            types.PolicyVersion,
            Call("PUT", "/v1/policy", body=policy),
            options,
        )

    async def lint(
        self,
        policy: params.Policy | Mapping[str, Any],
        *,
        options: RequestOptions | None = None,
    ) -> types.PolicyLintResult:
        """
        Check a policy without storing it.

        Needs `policy:read`.

        Args:
            policy: As a whole. One that was read is changed as `{**answer.policy.raw, …}`.
        """
        return await self._transport.json(
            types.PolicyLintResult,
            Call("POST", "/v1/policy/lint", body=policy, takes_key=True),
            options,
        )

    def list_versions(
        self,
        *,
        limit: int | Omit = omit,
        cursor: str | Omit = omit,
        options: RequestOptions | None = None,
    ) -> AsyncPages[types.PolicyVersionSummary]:
        """
        List the versions of the policy.

        Needs `policy:read`.

        Args:
            limit: Items in a page.
            cursor: `next_cursor` of the page before.
        """
        return self._transport.pages(
            types.PolicyVersionSummary,
            Call("GET", "/v1/policy/versions", query={"limit": limit, "cursor": cursor}),
            options,
        )

    async def get_version(
        self,
        version: str,
        *,
        options: RequestOptions | None = None,
    ) -> types.PolicyVersion:
        """
        Read a version of the policy.

        Needs `policy:read`.

        Args:
            version: Its number.
        """
        return await self._transport.json(
            types.PolicyVersion,
            Call("GET", f"/v1/policy/versions/{segment(version)}"),
            options,
        )

    async def restore_version(
        self,
        version: str,
        *,
        options: RequestOptions | None = None,
    ) -> types.PolicyVersion:
        """
        Make an earlier version the next one.

        Stores its document as the next version and puts it in force. With `If-Match` only if the version that
        it names is still in force. A document that would not be taken today is refused with its problems; one
        that is in force changes nothing. Needs `policy:write`.

        Args:
            version: Its number.
        """
        return await self._transport.json(
            types.PolicyVersion,
            Call("POST", f"/v1/policy/versions/{segment(version)}/restore", takes_key=True),
            options,
        )

    async def diff_versions(
        self,
        *,
        from_: int | Omit = omit,
        to: int | Omit = omit,
        options: RequestOptions | None = None,
    ) -> types.PolicyDiff:
        """
        Compare two versions of the policy.

        What has to be done to the document of `from` to get that of `to`. Lists whose entries have an id are
        compared by it. Needs `policy:read`.

        Args:
            from_: The version to begin with. Default: the one before `to`.
            to: The version to end with. Default: the one in force.
        """
        return await self._transport.json(
            types.PolicyDiff,
            Call("GET", "/v1/policy/diff", query={"from": from_, "to": to}),
            options,
        )

    async def put_shadow(
        self,
        *,
        policy: params.Policy,
        sample_rate: float,
        expires_at: str,
        options: RequestOptions | None = None,
    ) -> types.PolicyShadow:
        """
        Run a candidate beside the policy in force.

        The candidate decides a sample of assessments too, after the policy in force has decided them, and
        changes nothing about them. It stands in the place of the candidate before; the same document again
        goes on with its tally. Needs `policy:write`.

        Args:
            sample_rate: The share of assessments that it decides too. Which they are follows from their ids
                alone.
            expires_at: When it ends by itself; at most 90 days ahead.
        """
        return await self._transport.json(
            types.PolicyShadow,
            Call(
                "PUT",
                "/v1/policy/shadow",
                body={"policy": policy, "sample_rate": sample_rate, "expires_at": expires_at},
            ),
            options,
        )

    async def get_shadow(self, *, options: RequestOptions | None = None) -> types.PolicyShadow:
        """
        Read the candidate and what it would have changed.

        The tally is counted from the trail: it holds every assessment that was recorded before this answer.
        Needs `policy:read`.
        """
        return await self._transport.json(types.PolicyShadow, Call("GET", "/v1/policy/shadow"), options)

    async def delete_shadow(self, *, options: RequestOptions | None = None) -> types.PolicyShadow:
        """
        End the candidate.

        Needs `policy:write`.
        """
        return await self._transport.json(types.PolicyShadow, Call("DELETE", "/v1/policy/shadow"), options)

    async def promote_shadow(
        self,
        *,
        digest: str | Omit = omit,
        options: RequestOptions | None = None,
    ) -> types.PolicyVersion:
        """
        Put the candidate in force.

        Stores it as the next version and ends the shadow. With `digest` only if that candidate still runs,
        with `If-Match` only if the version that it names is still in force. Needs `policy:write`.

        Args:
            digest: Of the candidate that is meant. Where another one runs by now, nothing is promoted: 412.
        """
        return await self._transport.json(
            types.PolicyVersion,
            Call("POST", "/v1/policy/shadow/promote", body={"digest": digest}, takes_key=True),
            options,
        )

    async def simulate(
        self,
        *,
        policy: params.Policy,
        sample: params.SimulationSample | Omit = omit,
        items: Sequence[params.Inference] | Omit = omit,
        options: RequestOptions | None = None,
    ) -> types.PolicySimulation:
        """
        Try a policy on what was assessed before, or on items.

        Compares what the policy would decide with what was decided. Where the text of an assessment was kept
        (`data.store: full`) it is decided anew; else from the findings that were kept, and the result says
        what these could not tell. Items are decided by the policy in force and by this one. Judges are not
        asked. What probes reported is not looked at. Needs `policy:read`.

        Args:
            items: Inferences, up to the plan’s batch size, in place of `sample`. Each costs one assessment
                and is recorded nowhere.
        """
        return await self._transport.json(
            types.PolicySimulation,
            Call(
                "POST",
                "/v1/policy/simulate",
                body={"policy": policy, "sample": sample, "items": items},
                takes_key=True,
            ),
            options,
        )

    async def get_simulation(
        self,
        simulation_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> types.PolicySimulation:
        """
        Read how far a simulation has come, and what it found.

        Kept for 30 days, the last 20 of an organization’s live keys and the last 20 of its test keys. Needs
        `policy:read`.

        Args:
            simulation_id: Its id, `sim_…`.
        """
        return await self._transport.json(
            types.PolicySimulation,
            Call("GET", f"/v1/policy/simulations/{segment(simulation_id)}"),
            options,
        )

    def list_exceptions(
        self,
        *,
        limit: int | Omit = omit,
        cursor: str | Omit = omit,
        options: RequestOptions | None = None,
    ) -> AsyncPages[types.PolicyExceptionState]:
        """
        List the exceptions of the policy in force, with what they have excused.

        In the order of the document. Counted from the trail, under the id of the exception, whatever the
        version of the policy. Needs `policy:read`.

        Args:
            limit: Items in a page.
            cursor: `next_cursor` of the page before.
        """
        return self._transport.pages(
            types.PolicyExceptionState,
            Call("GET", "/v1/policy/exceptions", query={"limit": limit, "cursor": cursor}),
            options,
        )


class AsyncJudges:
    """Operations on judges."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        name: str,
        url: str,
        model: str,
        api_key: str | Omit | None = omit,
        timeout_ms: int | Omit = omit,
        kind: Literal["chat", "gpt_oss_safeguard", "llama_guard"] | Omit = omit,
        instructions: str | Omit | None = omit,
        options: RequestOptions | None = None,
    ) -> types.Judge:
        """
        Create a judge.

        A model behind an OpenAI-compatible API. It is asked about inferences once a policy names it, and sent
        nothing before. At most 20. Needs `admin:*`.

        Args:
            name: What it is for.
            url: Base URL of an OpenAI-compatible API; `/chat/completions` is added. https to a public
                address, or one that the operator allows.
            model: The model’s name at that API.
            api_key: Sent as `Authorization: Bearer`. Kept encrypted, never answered, and dropped when the url
                changes.
            timeout_ms: Time for one answer. What is left of the assessment’s deadline may be less.
            kind: How it is asked and understood. `chat`: any chat model. `gpt_oss_safeguard`: a model that
                judges by a policy it is given. `llama_guard`: one that answers `safe` or `unsafe` and
                hazards, S1–S14.
            instructions: What it is to judge by, instead of the instructions built in. Not for `llama_guard`,
                which knows its own rules.
        """
        return await self._transport.json(
            types.Judge,
            Call(
                "POST",
                "/v1/judges",
                body={
                    "name": name,
                    "url": url,
                    "model": model,
                    "api_key": api_key,
                    "timeout_ms": timeout_ms,
                    "kind": kind,
                    "instructions": instructions,
                },
                takes_key=True,
            ),
            options,
        )

    def list(
        self,
        *,
        limit: int | Omit = omit,
        cursor: str | Omit = omit,
        options: RequestOptions | None = None,
    ) -> AsyncPages[types.Judge]:
        """
        List judges.

        Newest first. Needs `admin:*`.

        Args:
            limit: Items in a page.
            cursor: `next_cursor` of the page before.
        """
        return self._transport.pages(
            types.Judge,
            Call("GET", "/v1/judges", query={"limit": limit, "cursor": cursor}),
            options,
        )

    async def get(self, judge_id: str, *, options: RequestOptions | None = None) -> types.Judge:
        """
        Read a judge.

        Needs `admin:*`.

        Args:
            judge_id: The judge’s id, `jdg_…`.
        """
        return await self._transport.json(
            types.Judge,
            Call("GET", f"/v1/judges/{segment(judge_id)}"),
            options,
        )

    async def update(
        self,
        judge_id: str,
        *,
        name: str | Omit = omit,
        url: str | Omit = omit,
        model: str | Omit = omit,
        api_key: str | Omit | None = omit,
        timeout_ms: int | Omit = omit,
        kind: Literal["chat", "gpt_oss_safeguard", "llama_guard"] | Omit = omit,
        instructions: str | Omit | None = omit,
        options: RequestOptions | None = None,
    ) -> types.Judge:
        """
        Change a judge.

        What is absent stays as it is, but for the key: with another url it is dropped unless another one
        comes with it. In force on every node within a second. Needs `admin:*`.

        Args:
            judge_id: The judge’s id, `jdg_…`.
            name: What it is for.
            url: Base URL of an OpenAI-compatible API; `/chat/completions` is added. https to a public
                address, or one that the operator allows.
            model: The model’s name at that API.
            api_key: Sent as `Authorization: Bearer`. Kept encrypted, never answered, and dropped when the url
                changes.
            timeout_ms: Time for one answer. What is left of the assessment’s deadline may be less.
            kind: How it is asked and understood. `chat`: any chat model. `gpt_oss_safeguard`: a model that
                judges by a policy it is given. `llama_guard`: one that answers `safe` or `unsafe` and
                hazards, S1–S14.
            instructions: What it is to judge by, instead of the instructions built in. Not for `llama_guard`,
                which knows its own rules.
        """
        return await self._transport.json(
            types.Judge,
            Call(
                "PATCH",
                f"/v1/judges/{segment(judge_id)}",
                body={
                    "name": name,
                    "url": url,
                    "model": model,
                    "api_key": api_key,
                    "timeout_ms": timeout_ms,
                    "kind": kind,
                    "instructions": instructions,
                },
            ),
            options,
        )

    async def delete(self, judge_id: str, *, options: RequestOptions | None = None) -> types.Judge:
        """
        Delete a judge and its key.

        Refused while the policy in force names it. Needs `admin:*`.

        Args:
            judge_id: The judge’s id, `jdg_…`.
        """
        return await self._transport.json(
            types.Judge,
            Call("DELETE", f"/v1/judges/{segment(judge_id)}"),
            options,
        )


class AsyncProbes:
    """Operations on probes."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def send_telemetry(
        self,
        *,
        events: Sequence[params.TelemetryEvent],
        options: RequestOptions | None = None,
    ) -> types.TelemetryResult:
        """
        Report inferences that a probe has seen.

        Answered once what was accepted is committed. An event whose `id` the probe has sent before is stored
        once, so a request without an answer may be sent again as it is. Events with `input` or `output` are
        assessed by the service, and cost one assessment each; of the others the probe’s own outcome is taken.
        The trail gets one `telemetry.received` for the batch, and an event for each inference that was
        flagged or blocked. The body may be packed by gzip. Needs `assess:create`.

        Args:
            events: One that is not valid is rejected by itself and fails no other.
        """
        return await self._transport.json(
            types.TelemetryResult,
            Call("POST", "/api/svc/probe/telemetry", body={"events": events}),
            options,
        )

    async def send_heartbeat(
        self,
        *,
        version: str | Omit | None = omit,
        started_at: str | Omit | None = omit,
        policy_version: int | Omit | None = omit,
        queue: params.HeartbeatQueue | Omit | None = omit,
        labels: params.HeartbeatLabels | Omit | None = omit,
        stale: bool | Omit | None = omit,
        options: RequestOptions | None = None,
    ) -> types.HeartbeatAnswer:
        """
        Say that a probe is there, and how it is.

        A probe that sends none for three intervals is taken for offline. Needs `assess:create`.

        Args:
            version: Of the probe’s software.
            started_at: When the probe was started.
            policy_version: By which it decides.
            queue: What is not sent yet.
            labels: In place of those that it said before.
            stale: The policy by which it decides has expired.
        """
        return await self._transport.json(
            types.HeartbeatAnswer,
            Call(
                "POST",
                "/api/svc/probe/heartbeat",
                body={
                    "version": version,
                    "started_at": started_at,
                    "policy_version": policy_version,
                    "queue": queue,
                    "labels": labels,
                    "stale": stale,
                },
            ),
            options,
        )

    async def sync_policy(self, *, options: RequestOptions | None = None) -> types.PolicyBundle:
        """
        Get the policy in force, signed.

        For probes that decide by themselves: they keep it on disk, and go on with it where the service cannot
        be reached. The same bytes from every node until midnight UTC, or until the policy is changed. Needs
        `assess:create policy:read`.
        """
        return await self._transport.json(
            types.PolicyBundle,
            Call("GET", "/api/svc/probe/policy-sync"),
            options,
        )

    def list(
        self,
        *,
        status: Literal["healthy", "stale", "offline", "skewed"] | Omit = omit,
        group: str | Omit = omit,
        limit: int | Omit = omit,
        cursor: str | Omit = omit,
        options: RequestOptions | None = None,
    ) -> AsyncPages[types.Probe]:
        """
        List probes.

        Of the credential’s mode, those that were registered last first. Needs `probes:read`.

        Args:
            status: Probes that are so now.
            group: Probes of this group.
            limit: Items in a page.
            cursor: `next_cursor` of the page before.
        """
        return self._transport.pages(
            types.Probe,
            Call(
                "GET",
                "/v1/probes",
                query={"status": status, "group": group, "limit": limit, "cursor": cursor},
            ),
            options,
        )

    async def get(self, probe_id: str, *, options: RequestOptions | None = None) -> types.Probe:
        """
        Read a probe.

        Needs `probes:read`.

        Args:
            probe_id: The probe’s own name.
        """
        return await self._transport.json(
            types.Probe,
            Call("GET", f"/v1/probes/{segment(probe_id)}"),
            options,
        )

    async def update(
        self,
        probe_id: str,
        *,
        labels: params.UpdateProbeLabels | Omit = omit,
        expected_interval_s: int | Omit | None = omit,
        options: RequestOptions | None = None,
    ) -> types.Probe:
        """
        Change a probe’s labels, or how often it is to be heard.

        Needs `probes:write`.

        Args:
            probe_id: The probe’s own name.
            labels: In place of those that were set before. They stand over what the probe says itself.
            expected_interval_s: How often the probe is to be heard. null: the usual 30 s.
        """
        return await self._transport.json(
            types.Probe,
            Call(
                "PATCH",
                f"/v1/probes/{segment(probe_id)}",
                body={"labels": labels, "expected_interval_s": expected_interval_s},
            ),
            options,
        )

    async def delete(self, probe_id: str, *, options: RequestOptions | None = None) -> types.Probe:
        """
        Forget a probe.

        What it reported stays. It is registered anew when it calls again. Needs `probes:write`.

        Args:
            probe_id: The probe’s own name.
        """
        return await self._transport.json(
            types.Probe,
            Call("DELETE", f"/v1/probes/{segment(probe_id)}"),
            options,
        )


class AsyncWebhooks:
    """Operations on webhooks."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        url: str,
        events: Sequence[params.EventKindOrAll],
        description: str | Omit | None = omit,
        options: RequestOptions | None = None,
    ) -> types.WebhookWithSecret:
        """
        Create a webhook.

        The signing secret is in this answer only. A webhook made with a test key hears of test assessments
        alone. Needs `webhooks:write`.

        Args:
            url: Where events are sent: an https URL that leads to a public address.
            events: Kinds of events. `*`: all but `inference.allowed` and `telemetry.received`, which come
                with every inference.
            description: Anything worth knowing about it.
        """
        return await self._transport.json(
            types.WebhookWithSecret,
            Call(
                "POST",
                "/v1/webhooks",
                body={"url": url, "events": events, "description": description},
                takes_key=True,
            ),
            options,
        )

    def list(
        self,
        *,
        limit: int | Omit = omit,
        cursor: str | Omit = omit,
        options: RequestOptions | None = None,
    ) -> AsyncPages[types.Webhook]:
        """
        List webhooks.

        Newest first. Needs `webhooks:read`.

        Args:
            limit: Items in a page.
            cursor: `next_cursor` of the page before.
        """
        return self._transport.pages(
            types.Webhook,
            Call("GET", "/v1/webhooks", query={"limit": limit, "cursor": cursor}),
            options,
        )

    async def get(self, webhook_id: str, *, options: RequestOptions | None = None) -> types.Webhook:
        """
        Read a webhook.

        Needs `webhooks:read`.

        Args:
            webhook_id: The webhook’s id, `wh_…`.
        """
        return await self._transport.json(
            types.Webhook,
            Call("GET", f"/v1/webhooks/{segment(webhook_id)}"),
            options,
        )

    async def update(
        self,
        webhook_id: str,
        *,
        url: str | Omit = omit,
        events: Sequence[params.EventKindOrAll] | Omit = omit,
        description: str | Omit | None = omit,
        options: RequestOptions | None = None,
    ) -> types.Webhook:
        """
        Change url, events or description.

        What is absent stays as it is. What is queued goes to the new url. Needs `webhooks:write`.

        Args:
            webhook_id: The webhook’s id, `wh_…`.
            url: Where events are sent: an https URL that leads to a public address.
            events: Kinds of events. `*`: all but `inference.allowed` and `telemetry.received`, which come
                with every inference.
            description: Anything worth knowing about it.
        """
        return await self._transport.json(
            types.Webhook,
            Call(
                "PATCH",
                f"/v1/webhooks/{segment(webhook_id)}",
                body={"url": url, "events": events, "description": description},
            ),
            options,
        )

    async def delete(self, webhook_id: str, *, options: RequestOptions | None = None) -> types.Webhook:
        """
        Delete a webhook.

        Cancels what is queued for it. Needs `webhooks:write`.

        Args:
            webhook_id: The webhook’s id, `wh_…`.
        """
        return await self._transport.json(
            types.Webhook,
            Call("DELETE", f"/v1/webhooks/{segment(webhook_id)}"),
            options,
        )

    async def rotate_secret(
        self,
        webhook_id: str,
        *,
        grace_s: int | Omit = omit,
        options: RequestOptions | None = None,
    ) -> types.WebhookWithSecret:
        """
        Give a webhook a new signing secret.

        During the grace `X-Svc-Signature-256` is still the old secret’s, the new one’s is in
        `X-Svc-Signature-256-Next`, and `webhook-signature` carries both. Needs `webhooks:write`.

        Args:
            webhook_id: The webhook’s id, `wh_…`.
            grace_s: For how long the old secret signs beside the new one. 0: it ends at once.
        """
        return await self._transport.json(
            types.WebhookWithSecret,
            Call(
                "POST",
                f"/v1/webhooks/{segment(webhook_id)}/rotate-secret",
                body={"grace_s": grace_s},
                takes_key=True,
            ),
            options,
        )

    async def finish_rotation(
        self,
        webhook_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> types.Webhook:
        """
        End the grace of a rotation.

        From here on the new secret alone signs. Doing it again changes nothing. Needs `webhooks:write`.

        Args:
            webhook_id: The webhook’s id, `wh_…`.
        """
        return await self._transport.json(
            types.Webhook,
            Call("POST", f"/v1/webhooks/{segment(webhook_id)}/rotate-secret/finish", takes_key=True),
            options,
        )

    def list_deliveries(
        self,
        webhook_id: str,
        *,
        state: params.DeliveryState | Omit = omit,
        kind: params.EventKind | Omit = omit,
        limit: int | Omit = omit,
        cursor: str | Omit = omit,
        options: RequestOptions | None = None,
    ) -> AsyncPages[types.Delivery]:
        """
        List deliveries.

        Newest event first. Kept for 30 days. Needs `webhooks:read`.

        Args:
            webhook_id: The webhook’s id, `wh_…`.
            state: Deliveries in this state.
            kind: Of events of this kind.
            limit: Items in a page.
            cursor: `next_cursor` of the page before.
        """
        return self._transport.pages(
            types.Delivery,
            Call(
                "GET",
                f"/v1/webhooks/{segment(webhook_id)}/deliveries",
                query={"state": state, "kind": kind, "limit": limit, "cursor": cursor},
            ),
            options,
        )

    async def get_delivery(
        self,
        webhook_id: str,
        delivery_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> types.DeliveryDetail:
        """
        Read a delivery, with its body and its attempts.

        Needs `webhooks:read`.

        Args:
            webhook_id: The webhook’s id, `wh_…`.
            delivery_id: The delivery’s id, `dlv_…`.
        """
        return await self._transport.json(
            types.DeliveryDetail,
            Call("GET", f"/v1/webhooks/{segment(webhook_id)}/deliveries/{segment(delivery_id)}"),
            options,
        )

    async def retry_delivery(
        self,
        webhook_id: str,
        delivery_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> types.DeliveryDetail:
        """
        Send a delivery again, now.

        One more attempt, whatever came of the others. If it fails, the delivery is what it was before. Needs
        `webhooks:write`.

        Args:
            webhook_id: The webhook’s id, `wh_…`.
            delivery_id: The delivery’s id, `dlv_…`.
        """
        return await self._transport.json(
            types.DeliveryDetail,
            Call(
                "POST",
                f"/v1/webhooks/{segment(webhook_id)}/deliveries/{segment(delivery_id)}/retry",
                takes_key=True,
            ),
            options,
        )

    async def recover(
        self,
        webhook_id: str,
        *,
        since: str,
        options: RequestOptions | None = None,
    ) -> types.Recovered:
        """
        Send again what has failed since a time.

        Each delivery gets the whole schedule again, with the same event id and the same body. Needs
        `webhooks:write`.

        Args:
            webhook_id: The webhook’s id, `wh_…`.
            since: Deliveries of events recorded at or after.
        """
        return await self._transport.json(
            types.Recovered,
            Call(
                "POST",
                f"/v1/webhooks/{segment(webhook_id)}/recover",
                body={"since": since},
                takes_key=True,
            ),
            options,
        )

    async def test(
        self,
        webhook_id: str,
        *,
        event: params.TestEventKind | Omit = omit,
        options: RequestOptions | None = None,
    ) -> types.TestResult:
        """
        Send a sample event, once.

        One real attempt, signed like any other. It is kept nowhere; the answer tells how it went. Needs
        `webhooks:write`.

        Args:
            webhook_id: The webhook’s id, `wh_…`.
            event: Of which kind a sample is sent.
        """
        return await self._transport.json(
            types.TestResult,
            Call("POST", f"/v1/webhooks/{segment(webhook_id)}/test", body={"event": event}, takes_key=True),
            options,
        )


class AsyncIntegrations:
    """Operations on integrations."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        kind: Literal["slack", "pagerduty", "teams", "datadog", "splunk"],
        name: str,
        events: Sequence[params.EventKindOrAll],
        config: params.SlackConfig
        | params.PagerDutyConfig
        | params.TeamsConfig
        | params.DatadogConfig
        | params.SplunkConfig,
        options: RequestOptions | None = None,
    ) -> types.Integration:
        """
        Create an integration.

        Sends events to a chat, incident or monitoring tool in the form it takes, by the same deliveries as
        webhooks. Needs `webhooks:write`.

        Args:
            kind: Where events go.
            name: What it is for.
            events: Kinds of events. `*`: all but `inference.allowed` and `telemetry.received`, which come
                with every inference.
            config: What the vendor needs. Secret members are kept encrypted and never answered.
        """
        return await self._transport.json(
            types.Integration,
            Call(
                "POST",
                "/v1/integrations",
                body={"kind": kind, "name": name, "events": events, "config": config},
                takes_key=True,
            ),
            options,
        )

    def list(
        self,
        *,
        limit: int | Omit = omit,
        cursor: str | Omit = omit,
        options: RequestOptions | None = None,
    ) -> AsyncPages[types.Integration]:
        """
        List integrations.

        Newest first. Needs `webhooks:read`.

        Args:
            limit: Items in a page.
            cursor: `next_cursor` of the page before.
        """
        return self._transport.pages(
            types.Integration,
            Call("GET", "/v1/integrations", query={"limit": limit, "cursor": cursor}),
            options,
        )

    async def get(self, integration_id: str, *, options: RequestOptions | None = None) -> types.Integration:
        """
        Read an integration.

        Needs `webhooks:read`.

        Args:
            integration_id: The integration’s id, `int_…`.
        """
        return await self._transport.json(
            types.Integration,
            Call("GET", f"/v1/integrations/{segment(integration_id)}"),
            options,
        )

    async def update(
        self,
        integration_id: str,
        *,
        name: str | Omit = omit,
        events: Sequence[params.EventKindOrAll] | Omit = omit,
        config: params.SlackConfig
        | params.PagerDutyConfig
        | params.TeamsConfig
        | params.DatadogConfig
        | params.SplunkConfig
        | Omit = omit,
        options: RequestOptions | None = None,
    ) -> types.Integration:
        """
        Change name, events or config.

        What is absent stays as it is, in the config too; but a config with another address needs its secrets
        again, which are not sent to a place they were not given for. Needs `webhooks:write`.

        Args:
            integration_id: The integration’s id, `int_…`.
            name: What it is for.
            events: Kinds of events. `*`: all but `inference.allowed` and `telemetry.received`, which come
                with every inference.
            config: What the vendor needs. Secret members are kept encrypted and never answered.
        """
        return await self._transport.json(
            types.Integration,
            Call(
                "PATCH",
                f"/v1/integrations/{segment(integration_id)}",
                body={"name": name, "events": events, "config": config},
            ),
            options,
        )

    async def delete(
        self,
        integration_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> types.Integration:
        """
        Delete an integration.

        Cancels what is queued for it. Needs `webhooks:write`.

        Args:
            integration_id: The integration’s id, `int_…`.
        """
        return await self._transport.json(
            types.Integration,
            Call("DELETE", f"/v1/integrations/{segment(integration_id)}"),
            options,
        )

    def list_deliveries(
        self,
        integration_id: str,
        *,
        state: params.DeliveryState | Omit = omit,
        kind: params.EventKind | Omit = omit,
        limit: int | Omit = omit,
        cursor: str | Omit = omit,
        options: RequestOptions | None = None,
    ) -> AsyncPages[types.Delivery]:
        """
        List deliveries.

        Newest event first. Kept for 30 days. Needs `webhooks:read`.

        Args:
            integration_id: The integration’s id, `int_…`.
            state: Deliveries in this state.
            kind: Of events of this kind.
            limit: Items in a page.
            cursor: `next_cursor` of the page before.
        """
        return self._transport.pages(
            types.Delivery,
            Call(
                "GET",
                f"/v1/integrations/{segment(integration_id)}/deliveries",
                query={"state": state, "kind": kind, "limit": limit, "cursor": cursor},
            ),
            options,
        )

    async def get_delivery(
        self,
        integration_id: str,
        delivery_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> types.DeliveryDetail:
        """
        Read a delivery, with its body and its attempts.

        Needs `webhooks:read`.

        Args:
            integration_id: The integration’s id, `int_…`.
            delivery_id: The delivery’s id, `dlv_…`.
        """
        return await self._transport.json(
            types.DeliveryDetail,
            Call("GET", f"/v1/integrations/{segment(integration_id)}/deliveries/{segment(delivery_id)}"),
            options,
        )

    async def retry_delivery(
        self,
        integration_id: str,
        delivery_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> types.DeliveryDetail:
        """
        Send a delivery again, now.

        One more attempt, whatever came of the others. If it fails, the delivery is what it was before. Needs
        `webhooks:write`.

        Args:
            integration_id: The integration’s id, `int_…`.
            delivery_id: The delivery’s id, `dlv_…`.
        """
        return await self._transport.json(
            types.DeliveryDetail,
            Call(
                "POST",
                f"/v1/integrations/{segment(integration_id)}/deliveries/{segment(delivery_id)}/retry",
                takes_key=True,
            ),
            options,
        )

    async def recover(
        self,
        integration_id: str,
        *,
        since: str,
        options: RequestOptions | None = None,
    ) -> types.Recovered:
        """
        Send again what has failed since a time.

        Each delivery gets the whole schedule again, with the same event id and the same body. Needs
        `webhooks:write`.

        Args:
            integration_id: The integration’s id, `int_…`.
            since: Deliveries of events recorded at or after.
        """
        return await self._transport.json(
            types.Recovered,
            Call(
                "POST",
                f"/v1/integrations/{segment(integration_id)}/recover",
                body={"since": since},
                takes_key=True,
            ),
            options,
        )

    async def test(
        self,
        integration_id: str,
        *,
        event: params.TestEventKind | Omit = omit,
        options: RequestOptions | None = None,
    ) -> types.TestResult:
        """
        Send a sample event, once.

        One real attempt, signed like any other. It is kept nowhere; the answer tells how it went. Needs
        `webhooks:write`.

        Args:
            integration_id: The integration’s id, `int_…`.
            event: Of which kind a sample is sent.
        """
        return await self._transport.json(
            types.TestResult,
            Call(
                "POST",
                f"/v1/integrations/{segment(integration_id)}/test",
                body={"event": event},
                takes_key=True,
            ),
            options,
        )


class AsyncInboxes:
    """Operations on inboxes."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(self, *, options: RequestOptions | None = None) -> types.Inbox:
        """
        Create an inbox.

        Use its `url` as that of a webhook and see what arrives. Needs `webhooks:write`.
        """
        return await self._transport.json(types.Inbox, Call("POST", "/v1/inboxes", takes_key=True), options)

    def list(self, *, options: RequestOptions | None = None) -> AsyncPages[types.Inbox]:
        """
        List inboxes.

        Needs `webhooks:read`.
        """
        return self._transport.pages(types.Inbox, Call("GET", "/v1/inboxes"), options)

    def list_messages(
        self,
        inbox_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> AsyncPages[types.InboxMessage]:
        """
        See what arrived in an inbox.

        The last 100, newest first. Those of live events need `events:read` too. Needs `webhooks:read`.

        Args:
            inbox_id: The inbox’s id, `inb_…`.
        """
        return self._transport.pages(
            types.InboxMessage,
            Call("GET", f"/v1/inboxes/{segment(inbox_id)}/messages"),
            options,
        )

    async def delete(self, inbox_id: str, *, options: RequestOptions | None = None) -> types.DeletedInbox:
        """
        Delete an inbox and what arrived in it.

        Needs `webhooks:write`.

        Args:
            inbox_id: The inbox’s id, `inb_…`.
        """
        return await self._transport.json(
            types.DeletedInbox,
            Call("DELETE", f"/v1/inboxes/{segment(inbox_id)}"),
            options,
        )


class AsyncApiKeys:
    """Operations on API keys."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        name: str,
        type: Literal["live", "test", "admin"],
        description: str | Omit | None = omit,
        expires_at: str | Omit | None = omit,
        permissions: Sequence[params.Permission] | Omit = omit,
        options: RequestOptions | None = None,
    ) -> types.CreatedApiKey:
        """
        Create an API key.

        The key itself is in this answer only. Without `permissions` it holds what its type holds. Needs
        `admin:*`.

        Args:
            name: What the key is for.
            type: `live` for production, `test` for CI and development, `admin` for management.
            description: Anything worth knowing about it.
            expires_at: When it stops working; at most ten years ahead. Absent or null: never.
            permissions: Scopes in place of those that its type holds by default. Nobody grants what they do
                not hold.
        """
        return await self._transport.json(
            types.CreatedApiKey,
            Call(
                "POST",
                "/v1/api-keys",
                body={
                    "name": name,
                    "type": type,
                    "description": description,
                    "expires_at": expires_at,
                    "permissions": permissions,
                },
                takes_key=True,
            ),
            options,
        )

    def list(
        self,
        *,
        limit: int | Omit = omit,
        cursor: str | Omit = omit,
        options: RequestOptions | None = None,
    ) -> AsyncPages[types.ApiKey]:
        """
        List API keys.

        Newest first, revoked ones included. Needs `admin:*`.

        Args:
            limit: Items in a page.
            cursor: `next_cursor` of the page before.
        """
        return self._transport.pages(
            types.ApiKey,
            Call("GET", "/v1/api-keys", query={"limit": limit, "cursor": cursor}),
            options,
        )

    async def get(self, key_id: str, *, options: RequestOptions | None = None) -> types.ApiKey:
        """
        Read an API key.

        Needs `admin:*`.

        Args:
            key_id: The key’s id, `key_…`.
        """
        return await self._transport.json(
            types.ApiKey,
            Call("GET", f"/v1/api-keys/{segment(key_id)}"),
            options,
        )

    async def revoke(self, key_id: str, *, options: RequestOptions | None = None) -> types.ApiKey:
        """
        Revoke an API key.

        It is refused from this answer on. Revoking it again answers the same. Needs `admin:*`.

        Args:
            key_id: The key’s id, `key_…`.
        """
        return await self._transport.json(
            types.ApiKey,
            Call("DELETE", f"/v1/api-keys/{segment(key_id)}"),
            options,
        )


class AsyncServiceAccounts:
    """Operations on service accounts."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        name: str,
        permissions: Sequence[params.Permission],
        ip_allowlist: Sequence[str] | Omit = omit,
        type: Literal["live", "test"] | Omit = omit,
        options: RequestOptions | None = None,
    ) -> types.CreatedServiceAccount:
        """
        Create a service account, with its first key.

        Its credential is an API key that has the account’s permissions and may be used from the addresses of
        its allowlist alone. The key itself is in this answer only. Needs `admin:*`.

        Args:
            name: What the account is for.
            permissions: Scopes of the account and of all its keys. Nobody grants what they do not hold.
            ip_allowlist: CIDR ranges, IPv4 or IPv6, from which its keys may be used. Empty: from anywhere.
            type: Of its keys. With `admin:*` or `policy:write` a live account gets admin keys.
        """
        return await self._transport.json(
            types.CreatedServiceAccount,
            Call(
                "POST",
                "/v1/service-accounts",
                body={"name": name, "permissions": permissions, "ip_allowlist": ip_allowlist, "type": type},
                takes_key=True,
            ),
            options,
        )

    def list(
        self,
        *,
        limit: int | Omit = omit,
        cursor: str | Omit = omit,
        options: RequestOptions | None = None,
    ) -> AsyncPages[types.ServiceAccount]:
        """
        List service accounts.

        Newest first, without deleted ones. Needs `admin:*`.

        Args:
            limit: Items in a page.
            cursor: `next_cursor` of the page before.
        """
        return self._transport.pages(
            types.ServiceAccount,
            Call("GET", "/v1/service-accounts", query={"limit": limit, "cursor": cursor}),
            options,
        )

    async def get(
        self,
        service_account_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> types.ServiceAccount:
        """
        Read a service account.

        Deleted ones too, so that an actor in the trail can always be looked up. Needs `admin:*`.

        Args:
            service_account_id: The account’s id, `sa_…`.
        """
        return await self._transport.json(
            types.ServiceAccount,
            Call("GET", f"/v1/service-accounts/{segment(service_account_id)}"),
            options,
        )

    async def update(
        self,
        service_account_id: str,
        *,
        name: str | Omit = omit,
        permissions: Sequence[params.Permission] | Omit = omit,
        ip_allowlist: Sequence[str] | Omit = omit,
        options: RequestOptions | None = None,
    ) -> types.ServiceAccount:
        """
        Change name, permissions or allowlist.

        All its keys follow, on every node within a second. What is absent stays as it is. Needs `admin:*`.

        Args:
            service_account_id: The account’s id, `sa_…`.
            name: What the account is for.
            permissions: Scopes of the account and of all its keys. Nobody grants what they do not hold.
            ip_allowlist: CIDR ranges, IPv4 or IPv6, from which its keys may be used. Empty: from anywhere.
        """
        return await self._transport.json(
            types.ServiceAccount,
            Call(
                "PATCH",
                f"/v1/service-accounts/{segment(service_account_id)}",
                body={"name": name, "permissions": permissions, "ip_allowlist": ip_allowlist},
            ),
            options,
        )

    async def delete(
        self,
        service_account_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> types.ServiceAccount:
        """
        Delete a service account and revoke its keys.

        Deleting it again answers the same. Needs `admin:*`.

        Args:
            service_account_id: The account’s id, `sa_…`.
        """
        return await self._transport.json(
            types.ServiceAccount,
            Call("DELETE", f"/v1/service-accounts/{segment(service_account_id)}"),
            options,
        )

    async def create_key(
        self,
        service_account_id: str,
        *,
        expires_at: str | Omit | None = omit,
        options: RequestOptions | None = None,
    ) -> types.CreatedApiKey:
        """
        Create another key of a service account.

        For rotation: deploy it, then revoke the old one with `DELETE /v1/api-keys/{key_id}`. Needs `admin:*`.

        Args:
            service_account_id: The account’s id, `sa_…`.
            expires_at: When the key stops working; at most ten years ahead. Absent or null: never.
        """
        return await self._transport.json(
            types.CreatedApiKey,
            Call(
                "POST",
                f"/v1/service-accounts/{segment(service_account_id)}/keys",
                body={"expires_at": expires_at},
                takes_key=True,
            ),
            options,
        )


class AsyncSessions:
    """Operations on sessions."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def exchange_token(
        self,
        *,
        sso_token: str,
        options: RequestOptions | None = None,
    ) -> types.SessionToken:
        """
        Exchange an ID token of the identity provider for a session token.

        The organization is the one whose single sign-on names the token’s issuer and client; where several
        do, `X-Svc-Org-Id` says which.

        Args:
            sso_token: An ID token (OpenID Connect) of the organization’s identity provider, at most ten
                minutes old. It is good for one exchange.
        """
        return await self._transport.json(
            types.SessionToken,
            Call("POST", "/v1/auth/token", body={"sso_token": sso_token}),
            options,
        )

    async def end_token(self, *, options: RequestOptions | None = None) -> types.Session:
        """
        End the session of the session token in use.

        Every token of the session, and the dashboard’s cookie for it, is refused from this answer on.
        """
        return await self._transport.json(types.Session, Call("DELETE", "/v1/auth/token"), options)

    async def refresh_token(self, *, options: RequestOptions | None = None) -> types.SessionToken:
        """
        Get a new session token before the present one expires.

        For the same session, until twelve hours after the sign-in. The present token stays good until it
        expires.
        """
        return await self._transport.json(types.SessionToken, Call("POST", "/v1/auth/token/refresh"), options)

    def list(
        self,
        *,
        limit: int | Omit = omit,
        cursor: str | Omit = omit,
        options: RequestOptions | None = None,
    ) -> AsyncPages[types.Session]:
        """
        List sessions.

        Newest first, ended ones included. Needs `admin:*`.

        Args:
            limit: Items in a page.
            cursor: `next_cursor` of the page before.
        """
        return self._transport.pages(
            types.Session,
            Call("GET", "/v1/sessions", query={"limit": limit, "cursor": cursor}),
            options,
        )

    async def end_all(self, *, options: RequestOptions | None = None) -> types.EndedSessions:
        """
        End all sessions of the organization.

        Its tokens and cookies are refused on every node within a second. API keys stay as they are. Needs
        `admin:*`.
        """
        return await self._transport.json(types.EndedSessions, Call("DELETE", "/v1/sessions"), options)

    async def end(self, session_id: str, *, options: RequestOptions | None = None) -> types.Session:
        """
        End a session.

        Its tokens and cookies are refused on every node within a second. Ending it again answers the same.
        Needs `admin:*`.

        Args:
            session_id: The session’s id, `ses_…`.
        """
        return await self._transport.json(
            types.Session,
            Call("DELETE", f"/v1/sessions/{segment(session_id)}"),
            options,
        )


class AsyncSso:
    """Operations on single sign-on."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(self, *, options: RequestOptions | None = None) -> types.Sso:
        """
        Read how users sign in.

        Needs `admin:*`.
        """
        return await self._transport.json(types.Sso, Call("GET", "/v1/organization/sso"), options)

    async def put(
        self,
        *,
        issuer: str,
        client_id: str,
        roles: Mapping[str, Literal["viewer", "operator", "policy_editor", "admin"]],
        client_secret: str | Omit | None = omit,
        groups_claim: str | Omit = omit,
        default_role: Literal["viewer", "operator", "policy_editor", "admin"] | Omit | None = omit,
        require: Mapping[str, str | float | bool] | Omit = omit,
        options: RequestOptions | None = None,
    ) -> types.Sso:
        """
        Set how users sign in.

        Replaces what was set before. Whatever changes who may sign in, and as what, ends the sessions of all
        users, who sign in again. The issuer’s discovery document must be readable from here. Needs `admin:*`.

        Args:
            issuer: The identity provider, exactly as its tokens name it (`iss`). Its discovery document is
                read when this is stored.
            client_id: The client that stands for this service at the identity provider.
            roles: The role of each group. Who is in several has the highest; who is in none is refused,
                unless there is a `default_role`.
            client_secret: For a sign-in through this service. Absent: the stored one stays, if issuer and
                client do. Null: none.
            groups_claim: The claim that lists a user’s groups.
            require: Claims that a token must have with exactly this value, or, where the claim is a list, in
                it.
        """
        return await self._transport.json(
            types.Sso,
            Call(
                "PUT",
                "/v1/organization/sso",
                body={
                    "issuer": issuer,
                    "client_id": client_id,
                    "client_secret": client_secret,
                    "groups_claim": groups_claim,
                    "roles": roles,
                    "default_role": default_role,
                    "require": require,
                },
            ),
            options,
        )

    async def delete(self, *, options: RequestOptions | None = None) -> types.NoSso:
        """
        End single sign-on.

        Ends the sessions of all users. Doing it again changes nothing. Needs `admin:*`.
        """
        return await self._transport.json(types.NoSso, Call("DELETE", "/v1/organization/sso"), options)


class AsyncOrganization:
    """Operations on organization."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(self, *, options: RequestOptions | None = None) -> types.Organization:
        """Read the organization and the credential in use."""
        return await self._transport.json(types.Organization, Call("GET", "/v1/organization"), options)

    async def get_usage(
        self,
        *,
        since: str | Omit = omit,
        until: str | Omit = omit,
        options: RequestOptions | None = None,
    ) -> types.Usage:
        """
        Read what was used of the plan.

        Assessments by day, from the trail, with texts that probes sent; those of test keys do not count. And
        what is left of the limits right now. Needs `reports:read`.

        Args:
            since: First day, UTC. Without it the last 30 days.
            until: Last day, UTC. Without it today.
        """
        return await self._transport.json(
            types.Usage,
            Call("GET", "/v1/usage", query={"since": since, "until": until}),
            options,
        )


class AsyncReports:
    """Operations on reports."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get_summary(
        self,
        *,
        since: str | Omit = omit,
        until: str | Omit = omit,
        interval: Literal["hour", "day", "week", "month"] | Omit = omit,
        options: RequestOptions | None = None,
    ) -> types.SummaryReport:
        """
        Read what happened in a time.

        Counts of the trail, made while the log grows over it: `as_of` says of which events. By the time of
        recording, in whole hours or days (UTC). Events of test keys are not counted. Needs `reports:read`.

        Args:
            since: Recorded at or after; the beginning of its day (UTC), with points of an hour of its hour.
                Absent: 30 days before `until`.
            until: Recorded before; the end of its day or hour. Absent: now.
            interval: Of the points of the series, at most 1000. Hours reach back 100 days; weeks begin on
                Monday. Absent: by the length.
        """
        return await self._transport.json(
            types.SummaryReport,
            Call("GET", "/v1/reports/summary", query={"since": since, "until": until, "interval": interval}),
            options,
        )

    async def get_compliance(
        self,
        *,
        framework: Literal["eu-ai-act", "nist-ai-rmf", "iso-42001"],
        since: str | Omit = omit,
        until: str | Omit = omit,
        options: RequestOptions | None = None,
    ) -> types.ComplianceReport:
        """
        Read what evidence the trail holds for a framework.

        Provision by provision: what it asks for, of whom, what the log holds that speaks to it, and what is
        missing. With `Accept: text/html` or `format=html` a page to print. It is no legal advice and no
        conformity assessment. Needs `reports:read`.

        Args:
            framework: What the report is about.
            since: Recorded at or after; the beginning of its day (UTC), with points of an hour of its hour.
                Absent: 30 days before `until`.
            until: Recorded before; the end of its day or hour. Absent: now.
        """
        return await self._transport.json(
            types.ComplianceReport,
            Call(
                "GET",
                "/v1/reports/compliance",
                query={"framework": framework, "since": since, "until": until},
            ),
            options,
        )

    async def get_compliance_page(
        self,
        *,
        framework: Literal["eu-ai-act", "nist-ai-rmf", "iso-42001"],
        since: str | Omit = omit,
        until: str | Omit = omit,
        options: RequestOptions | None = None,
    ) -> str:
        """
        Read what evidence the trail holds for a framework, as a page.

        Provision by provision: what it asks for, of whom, what the log holds that speaks to it, and what is
        missing. With `Accept: text/html` or `format=html` a page to print. It is no legal advice and no
        conformity assessment. Needs `reports:read`.

        Args:
            framework: What the report is about.
            since: Recorded at or after; the beginning of its day (UTC), with points of an hour of its hour.
                Absent: 30 days before `until`.
            until: Recorded before; the end of its day or hour. Absent: now.
        """
        return await self._transport.text(
            Call(
                "GET",
                "/v1/reports/compliance",
                query={"framework": framework, "since": since, "until": until, "format": "html"},
            ),
            options,
        )


class AsyncHealth:
    """Operations on health."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(self, *, options: RequestOptions | None = None) -> types.Health:
        """Is the process alive."""
        return await self._transport.json(types.Health, Call("GET", "/healthz"), options)

    async def get_readiness(self, *, options: RequestOptions | None = None) -> types.Health:
        """
        Can it answer requests.

        Asks the database. Answers 503 while it cannot be reached and while the service is stopping.
        """
        return await self._transport.json(types.Health, Call("GET", "/readyz"), options)
