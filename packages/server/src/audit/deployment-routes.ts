// The log over all organizations' logs, as one of them may see it.

import { Type } from 'typebox';
import { notFound } from '../http/errors.ts';
import { route, type Route } from '../http/route.ts';
import { isoTime, Time } from '../http/schemas.ts';
import { formatCosigner } from '@svc/trail';
import { findAnchored } from './anchor-store.ts';
import { originOfNote } from './origin.ts';

const Hash = (description: string) => Type.String({ description, examples: ['CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I='] });

const DeploymentLogBody = Type.Object(
  {
    origin: Type.String({
      description: 'Of the deployment’s log.',
      examples: ['svc.example.com/deployment/019b76da-a800-7000-8000-000000000000'],
    }),
    verifier_keys: Type.Array(Type.String(), {
      description:
        'What its checkpoints are signed with, newest first: those that sign no more, too. Compare them with what you hold.',
    }),
    checkpoint: Type.String({
      description: 'Its checkpoint: a signed note, with the cosignatures of witnesses.',
    }),
    size: Type.Integer({ description: 'Leaves in the tree of the checkpoint.' }),
    leaf: Type.Object(
      {
        index: Type.Integer({ description: 'Where it is in the tree, from 0.' }),
        salt: Type.String({ description: '16 bytes, base64.' }),
        checkpoint: Type.String({
          description: 'The checkpoint of your organization’s log. The leaf is SHA-256(salt, these bytes).',
        }),
        hashes: Type.Array(Hash('Base64.'), { description: 'That the leaf is in the tree (RFC 6962), from the leaf up.' }),
      },
      { description: 'The newest of your organization’s checkpoints that is in the tree.' },
    ),
    witnesses: Type.Array(
      Type.Object({
        name: Type.String({ examples: ['witness.example.com/w1'] }),
        verifier_key: Type.String({ description: 'As the service was told. Take it from the witness’s operator instead.' }),
        cosigned_at: Time('When the witness says it saw the checkpoint.'),
      }),
      { description: 'Whose cosignatures are in the checkpoint.' },
    ),
  },
  { title: 'DeploymentLog' },
);

export const deploymentLogRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/v1/audit/deployment',
    operationId: 'getDeploymentLog',
    tag: 'Audit',
    summary: 'Read the deployment’s log, with a proof that it holds your checkpoint',
    description:
      'Every minute the newest checkpoint of each organization becomes a leaf of one log over all of them, whose own checkpoints witnesses cosign. A salt hides organizations from each other. 404 until the first checkpoint of the organization is in it.',
    access: 'events:read',
    limit: 'requests',
    responses: { 200: { description: 'The log’s checkpoint, your leaf and its proof.', schema: DeploymentLogBody } },
    async handle({ db, trailKeys }, { principal }) {
      // Test credentials see test objects only, and nothing of theirs is in the trail.
      const anchored = principal.mode === 'test' ? null : await findAnchored(db, principal.organization.uuid);
      if (anchored === null) throw notFound('checkpoint in the deployment’s log');
      const origin = originOfNote(anchored.deployment.note);
      return {
        origin,
        verifier_keys: trailKeys.verifiers(origin).map(({ vkey }) => vkey),
        checkpoint: anchored.deployment.note,
        size: anchored.deployment.size,
        leaf: {
          index: anchored.index,
          salt: anchored.salt.toString('base64'),
          checkpoint: anchored.note,
          hashes: anchored.hashes.map((hash) => hash.toString('base64')),
        },
        witnesses: anchored.cosignatures.map(({ cosigner, timeS }) => ({
          name: cosigner.name,
          verifier_key: formatCosigner(cosigner),
          cosigned_at: isoTime(timeS * 1_000),
        })),
      };
    },
  }),
];
