import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { RECORDED, ROOT } from './places.ts';

/** Starts with the longest files, so that no worker still runs one at the end. */
export class LongestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const recorded = JSON.parse(readFileSync(RECORDED, 'utf8')) as Record<string, number>;
    const seconds = ({ moduleId }: TestSpecification) => recorded[relative(ROOT, moduleId)] ?? 0;
    const config = ({ project }: TestSpecification) => project.config;
    return Promise.resolve(
      files.toSorted(
        (one, other) =>
          config(one).sequence.groupOrder - config(other).sequence.groupOrder ||
          // A shared worker ends when a file with its own process is next.
          Number(config(other).isolate) - Number(config(one).isolate) ||
          seconds(other) - seconds(one),
      ),
    );
  }
}
