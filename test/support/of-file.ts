import { afterAll, beforeAll } from 'vitest';

/** Opens a resource before the tests of a file or group, and closes it after them. */
export function ofFile<Opened extends { close(): unknown } | { stop(): unknown }>(
  open: () => Promise<Opened>,
): Opened {
  let opened: Opened | undefined;
  beforeAll(async () => void (opened = await open()));
  afterAll(() => opened && ('close' in opened ? opened.close() : opened.stop()));
  return new Proxy({} as Opened, {
    get(_, name) {
      const value: unknown = Reflect.get(opened!, name);
      return typeof value === 'function' ? (value.bind(opened) as unknown) : value;
    },
    set: (_, name, value) => Reflect.set(opened!, name, value),
  });
}
