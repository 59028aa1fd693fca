/** An average answer within this is prompt. */
const PROMPT_MS = 1_000;

/**
 * How the slots are parted, so that lanes of one kind do not wait for those of another.
 * `PROMPT`: the last attempt succeeded, and the receiver answers soon. `UNTRIED`: none has succeeded,
 * since it was registered or enabled, nor failed. `SLOW`: the last one failed, or answers take long.
 */
export type LaneClass = 'PROMPT' | 'UNTRIED' | 'SLOW';

/** The class of a lane `l`. */
export const LANE_CLASS = `
  CASE WHEN l.failure_count > 0 OR l.answer_ms > ${PROMPT_MS} THEN 'SLOW'
    WHEN l.answer_ms IS NULL THEN 'UNTRIED' ELSE 'PROMPT' END`;

/**
 * How many deliveries may be in flight on a lane `l`: one that has not succeeded, or not since it
 * failed, is tried with one at a time.
 * @param most on any other
 */
export function laneCapacity(most: string): string {
  return `
    CASE WHEN l.failure_count > 0 OR l.answer_ms IS NULL OR l.probe_at IS NOT NULL THEN 1
      ELSE ${most} END`;
}
