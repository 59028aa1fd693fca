import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { broken, type Mutant } from './mutant.ts';

/** What is wrong with a list, checked against a tree; empty when every mutant can be made. */
export function staleMutants(root: string, mutants: readonly Mutant[]): string[] {
  const ids = new Set<string>();
  return mutants.flatMap((mutant) => {
    const complaints = [...fileComplaints(root, mutant), ...specComplaints(root, mutant)];
    if (ids.has(mutant.id)) complaints.push(`${mutant.id}: the id stands twice`);
    if (mutant.find === mutant.replace) complaints.push(`${mutant.id}: it changes nothing`);
    ids.add(mutant.id);
    return complaints;
  });
}

function fileComplaints(root: string, mutant: Mutant): string[] {
  const path = join(root, mutant.file);
  if (!existsSync(path)) return [`${mutant.id}: there is no ${mutant.file}`];
  try {
    broken(readFileSync(path, 'utf8'), mutant);
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}

function specComplaints(root: string, { id, specs }: Mutant): string[] {
  if (specs.length === 0) return [`${id}: it names no spec`];
  return specs
    .filter((spec) => !existsSync(join(root, spec)))
    .map((spec) => `${id}: there is no ${spec}`);
}
