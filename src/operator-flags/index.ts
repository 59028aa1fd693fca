export { FLAG_CATALOGUE, FLAG_KINDS, type FlagDetail, type FlagKind } from './flag-catalogue.js';
export { OperatorFlagsModule } from './operator-flags.module.js';
export { OPERATOR_FLAG_ENTITIES } from './store/operator-flag-entities.js';
export type { OperatorFlag } from './store/operator-flag.entity.js';
export {
  type FlagSearch,
  type NewFlag,
  NO_PARTNER,
  OperatorFlags,
} from './store/operator-flags.js';
