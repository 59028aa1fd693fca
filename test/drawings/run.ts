/** `npm run drawings`: draws what docs/architecture.md shows of the code again. */
import { built } from '../../bench/support/built-service.ts';
import { writeDrawings, drawAll } from './drawings.ts';

type States = typeof import('../../src/journeys/domain/journey-state.js');
type Table = typeof import('../../src/journeys/domain/transition-table.js');

const { STATE_OF_STEP } = await built<States>('src/journeys/domain/journey-state.js');
const { TRANSITIONS } = await built<Table>('src/journeys/domain/transition-table.js');
const drawings = drawAll({ moves: TRANSITIONS, stepStates: Object.values(STATE_OF_STEP) });
writeDrawings(drawings);
process.stdout.write(`docs/architecture.md: ${Object.keys(drawings).join(', ')}\n`);
