export { FLAG_CATALOGUE, FLAG_KINDS, type FlagDetail, type FlagKind } from './flag-catalogue.js';
export { OperatorFlagsModule } from './operator-flag-metrics.js';
export type { OperatorFlag } from './store/operator-flag.entity.js';
export {
  type NewFlag,
  NO_PARTNER,
  OPERATOR_FLAG_ENTITIES,
  OperatorFlags,
} from './store/operator-flags.js';
