// The part of a document that suffices to tell what a schema finds wrong with it.

import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';

/** Keywords that lead from a schema to those of parts of a document, as far as ours use them. */
interface Node {
  readonly anyOf?: readonly Node[];
  readonly items?: Node;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly patternProperties?: Readonly<Record<string, Node>>;
  readonly additionalProperties?: Node | boolean;
  readonly maxProperties?: number;
}

/** Keywords that ask for something in ways that are not followed: what they apply to is left as it is. */
const OTHER_WAYS = [
  '$ref',
  'allOf',
  'oneOf',
  'not',
  'if',
  'contains',
  'prefixItems',
  'minProperties',
  'dependentSchemas',
  'unevaluatedItems',
  'unevaluatedProperties',
];

/** Wrong items that are taken of one document: more than there are problems to tell, since an item is also wrong for one inside of it. */
const WRONG_ITEMS_MAX = 1_000;

const ANNOTATIONS: ReadonlySet<string> = new Set(['title', 'description', 'default', 'examples']);

/**
 * Makes a function that copies the part of a document which suffices to tell what is wrong with it. Of an array that is too long it takes as many
 * items as make it too long, with holes for those that are right; of an object, `namesMax` of the members without a name in the schema. What does
 * not fit the schema does not fit it when it is cut either, for the same reasons at the same places: so a body with a million things wrong costs
 * about what the worst one within the bounds would cost.
 */
export function createCutter(schema: TSchema, namesMax: number): (document: unknown) => unknown {
  const validators = new Map<Node, Validator>();
  let wrongItemsLeft = WRONG_ITEMS_MAX;

  /** `schemas`: those that the value is held against, of which it has to fit one; none: nothing is asked of it. */
  function cut(value: unknown, schemas: readonly Node[]): unknown {
    if (typeof value !== 'object' || value === null) return value;
    const nodes = schemas.flatMap(alternatives);
    if (nodes.length === 0 || nodes.some((node) => OTHER_WAYS.some((keyword) => keyword in node))) return value;
    return Array.isArray(value) ? cutArray(value, nodes) : cutObject(value as Record<string, unknown>, nodes);
  }

  function cutArray(values: readonly unknown[], nodes: readonly Node[]): unknown[] {
    const schemas = nodes.flatMap((node) => node.items ?? []);
    const first = values.slice(0, Math.max(...nodes.map(itemsMax)));
    const isSparse = schemas.length === 1 && !nodes.some(({ uniqueItems }) => uniqueItems === true);
    const copy: unknown[] = [];
    copy.length = first.length;
    // The library passes over holes: else it would look at thousands of items that are right, which takes it microseconds each.
    for (const [i, value] of first.entries()) {
      if (isSparse && (wrongItemsLeft === 0 || fits(value, schemas[0]!))) continue;
      if (isSparse) wrongItemsLeft--;
      copy[i] = cut(value, schemas);
    }
    return copy;
  }

  function fits(value: unknown, node: Node): boolean {
    let validator = validators.get(node);
    if (validator === undefined) validators.set(node, (validator = Compile(node as TSchema)));
    return validator.Check(value);
  }

  function cutObject(object: Readonly<Record<string, unknown>>, nodes: readonly Node[]): object {
    const named = new Set(nodes.flatMap(({ properties = {} }) => Object.keys(properties)));
    const names = [...named].filter((name) => Object.hasOwn(object, name));
    const namesTaken = names.length + Math.max(...nodes.map((node) => othersMax(node, namesMax)));
    for (const name of Object.keys(object)) {
      if (names.length >= namesTaken) break;
      if (!named.has(name)) names.push(name);
    }
    return Object.fromEntries(
      names.map((name) => [
        name,
        cut(
          object[name],
          nodes.flatMap((node) => schemasOf(node, name)),
        ),
      ]),
    );
  }

  return (document) => {
    wrongItemsLeft = WRONG_ITEMS_MAX;
    return cut(document, [schema]);
  };
}

function alternatives(node: Node): Node[] {
  return node.anyOf === undefined ? [node] : [node, ...node.anyOf.flatMap(alternatives)];
}

/** How many items suffice to break the bounds. Where there is no bound all are needed, except of those that may be anything. */
function itemsMax({ items, minItems = 0, maxItems, uniqueItems }: Node): number {
  if (maxItems !== undefined) return Math.max(minItems, maxItems + 1);
  return uniqueItems === true || (items !== undefined && !isOpen(items)) ? Infinity : minItems;
}

/** How many members suffice of those that the schema does not name. */
function othersMax({ patternProperties = {}, additionalProperties = {}, maxProperties }: Node, namesMax: number): number {
  if (maxProperties !== undefined) return Math.max(namesMax, maxProperties + 1);
  const asked = [...Object.values(patternProperties), additionalProperties].some(
    (node) => typeof node === 'object' && !isOpen(node),
  );
  return asked ? Infinity : namesMax;
}

function schemasOf({ properties = {}, patternProperties = {}, additionalProperties }: Node, name: string): readonly Node[] {
  if (Object.hasOwn(properties, name)) return [properties[name]!];
  const others = typeof additionalProperties === 'object' ? [additionalProperties] : [];
  return [...Object.values(patternProperties), ...others];
}

/** Whether it takes any value. */
function isOpen(node: Node): boolean {
  return Object.keys(node).every((keyword) => ANNOTATIONS.has(keyword));
}
