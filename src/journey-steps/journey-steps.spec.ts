import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { projectPath } from '../platform/index.js';
import {
  JOURNEY_STEPS,
  MILESTONES,
  STEP_DEFINITIONS,
  STEP_EVENTS,
  STEP_OUTCOME_REASONS,
  STEP_STATES,
} from './journey-steps.js';

describe('the steps of journeys', () => {
  it.each([
    ['step', JOURNEY_STEPS],
    ['state', STEP_STATES.map(({ name }) => name)],
    ['next action', STEP_STATES.flatMap(({ nextAction }) => nextAction?.type ?? [])],
    ['trigger', STEP_STATES.flatMap(({ moves }) => moves.map(({ trigger }) => trigger))],
    ['event', STEP_EVENTS.map(({ name }) => name)],
    ['outcome reason', STEP_OUTCOME_REASONS],
    ['milestone', MILESTONES],
    ['page', STEP_DEFINITIONS.flatMap<string>(({ questionPages }) => questionPages)],
  ])('have no %s twice', (_, names) => {
    expect(names).toEqual([...new Set<string>(names)]);
  });

  it('stand in docs/operators/configuration.md, in order', () => {
    const page = readFileSync(projectPath('docs/operators/configuration.md'), 'utf8');
    const [, part = ''] = /\n## The steps of a product\n([\s\S]*?)\n## /.exec(page) ?? [];
    const rows = [...part.matchAll(/^\| `([A-Z_]+)` +\|/gm)];
    expect(rows.map(([, step]) => step)).toEqual(JOURNEY_STEPS);
  });
});
