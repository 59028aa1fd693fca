import { IsObject } from 'class-validator';
import { checkBody, ChoiceField, validationFault } from '../../platform/index.js';
import { ACTION_KINDS, type ActionKind } from '../domain/action-kind.js';

export class ActionBody {
  @ChoiceField(ACTION_KINDS)
  kind: ActionKind;

  @IsObject({ message: 'must be an object' })
  payload: object;
}

/**
 * Holds the payload of an action against the class of its kind.
 * @throws Fault validation_failed, the fields dotted from the body's root
 */
export function readAction(shape: new () => object, body: ActionBody): object {
  const { value, problems } = checkBody(shape, body.payload);
  if (problems.length === 0) return value;
  throw validationFault(
    problems.map(({ field, message }) => ({ field: `payload.${field}`, message })),
  );
}
