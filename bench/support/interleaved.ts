/** The same work on the small and on the large side. */
export interface Comparison {
  readonly name: string;
  readonly small: () => Promise<unknown>;
  readonly large: () => Promise<unknown>;
}

/** Milliseconds. */
export interface Compared {
  readonly name: string;
  readonly small: number;
  readonly large: number;
  readonly ratio: number;
}

const WARM_UP_ROUNDS = 10;

/**
 * The medians of both sides, measured alternately. Other load on the machine affects both, so their ratio is meaningful
 * even where the times are not.
 */
export async function compareInterleaved(
  comparisons: readonly Comparison[],
  rounds: number,
): Promise<Compared[]> {
  const times = comparisons.map(() => ({ small: [] as number[], large: [] as number[] }));
  for (let round = -WARM_UP_ROUNDS; round < rounds; round += 1) {
    for (const [index, comparison] of comparisons.entries()) {
      const sides = round % 2 === 0 ? (['small', 'large'] as const) : (['large', 'small'] as const);
      for (const side of sides) {
        const startedAt = performance.now();
        await comparison[side]();
        if (round >= 0) times[index]?.[side].push(performance.now() - startedAt);
      }
    }
  }
  return comparisons.map(({ name }, index) => {
    const small = medianOf(times[index]?.small ?? []);
    const large = medianOf(times[index]?.large ?? []);
    return { name, small, large, ratio: large / small };
  });
}

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** The median over the rounds of one side's time divided by the other's. A slower round of the machine affects both. */
export function medianRatio(ones: readonly number[], others: readonly number[]): number {
  return medianOf(ones.map((one, round) => one / (others[round] ?? Number.NaN)));
}
