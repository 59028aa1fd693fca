import { createRequire } from 'node:module';

interface ImportRule {
  readonly name: string;
  readonly to: { readonly pathNot?: string | readonly string[] };
}

const SUFFIX = '-imports-only-what-is-below';

/** The modules that each module may import, from `.dependency-cruiser.cjs`. */
export function readModuleOrder(): ReadonlyMap<string, readonly string[]> {
  const require = createRequire(import.meta.url);
  const { forbidden } = require('../../.dependency-cruiser.cjs') as { forbidden: ImportRule[] };
  const layers = forbidden.filter(({ name }) => name.endsWith(SUFFIX));
  return new Map(layers.map(({ name, to }) => readLayer(name.slice(0, -SUFFIX.length), to)));
}

function readLayer(module: string, { pathNot }: ImportRule['to']): [string, string[]] {
  const names = /^\^src\/\((.*)\)\/$/.exec(String(pathNot))?.[1]?.split('|') ?? [];
  return [module, names.filter((name) => name !== module)];
}

/** The module order as a Mermaid flowchart. */
export function drawModules(order: ReadonlyMap<string, readonly string[]>): string {
  const boxes = new Map<string, string[]>();
  for (const [module, others] of order) {
    const key = others.toSorted().join();
    boxes.set(key, [...(boxes.get(key) ?? []), module]);
  }
  const arrows = [...boxes.values()].flatMap(([first = '']) => {
    const others = order.get(first) ?? [];
    const next = others.filter(
      (one) => !others.some((between) => order.get(between)?.includes(one)),
    );
    return [...boxes.values()]
      .map((box) => [box, box.filter((one) => next.includes(one))] as const)
      .filter(([, met]) => met.length > 0)
      .map(([box, met]) => arrow(first, box, met));
  });
  return [
    'flowchart TD',
    ...[...boxes.values()].map((box) => `  ${box[0]}["${box.join('<br/>')}"]`),
    ...arrows,
  ].join('\n');
}

function arrow(from: string, box: readonly string[], met: readonly string[]): string {
  const label = met.length < box.length ? `|${met.join('<br/>')}|` : '';
  return `  ${from} -->${label} ${box[0]}`;
}
