/** The drawn fields of a transition. */
export interface DrawnMove {
  readonly from: string;
  readonly trigger: string;
  readonly to: string;
}

/** The journey states as a Mermaid state diagram. */
export function drawJourneyStates(
  moves: readonly DrawnMove[],
  stepStates: readonly string[],
): string {
  const [first] = stepStates;
  const afterwards = stepStates.filter((state) => state !== first);
  const ends = [...new Set(moves.map(({ to }) => to))].filter(
    (state) => state !== 'NEXT_STEP' && !moves.some(({ from }) => from === state),
  );
  return [
    'stateDiagram-v2',
    '  state next_step <<choice>>',
    `  [*] --> ${first}`,
    ...arrowsOf(moves),
    ...afterwards.map((state) => `  next_step --> ${state}`),
    ...ends.map((state) => `  ${state} --> [*]`),
  ].join('\n');
}

function arrowsOf(moves: readonly DrawnMove[]): string[] {
  const triggers = Map.groupBy(moves, ({ from, to }) => `${from} --> ${nodeOf(to)}`);
  return [...triggers].map(
    ([arrow, same]) => `  ${arrow}: ${same.map(({ trigger }) => trigger).join(', ')}`,
  );
}

function nodeOf(state: string): string {
  return state === 'NEXT_STEP' ? 'next_step' : state;
}
