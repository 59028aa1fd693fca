export type JsonType = 'string' | 'number' | 'boolean';

const JSON_TYPE = Symbol('json type');

/** Notes the JSON type of a field of a body. */
export function JsonTyped(type: JsonType): PropertyDecorator {
  return (target, property) => Reflect.defineMetadata(JSON_TYPE, type, target, property);
}

/** The JSON type that was noted; undefined where none was. */
export function jsonTypeOf(holder: object, property: string): JsonType | undefined {
  return Reflect.getMetadata(JSON_TYPE, holder, property) as JsonType | undefined;
}
