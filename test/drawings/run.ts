/** `npm run drawings`: updates the generated parts of the documents. */
import { built } from '../../bench/support/built-service.ts';
import { writeDrawings, drawAll } from './drawings.ts';

type States = typeof import('../../src/journeys/domain/journey-state.js');
type Table = typeof import('../../src/journeys/domain/transition-table.js');
type Flags = typeof import('../../src/operator-flags/flag-catalogue.js');

const { STATE_OF_STEP } = await built<States>('src/journeys/domain/journey-state.js');
const { TRANSITIONS } = await built<Table>('src/journeys/domain/transition-table.js');
const { FLAG_CATALOGUE } = await built<Flags>('src/operator-flags/flag-catalogue.js');
const drawings = drawAll({
  moves: TRANSITIONS,
  stepStates: Object.values(STATE_OF_STEP),
  flags: FLAG_CATALOGUE,
});
writeDrawings(drawings);
for (const [name, { page }] of Object.entries(drawings)) {
  process.stdout.write(`docs/${page}: ${name}\n`);
}
