export interface Settings {
  /** The sandbox's address, without a path. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  /** Only `verify_webhook` needs it. */
  readonly webhookSecret?: string | undefined;
}

const TEST = /^[a-z][a-z0-9-]*_(secret_)?test_/;
const LIVE = /^[a-z][a-z0-9-]*_(secret_)?live_/;

/** @throws Error that names the variable to change */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const read = (name: string): string => {
    const value = environment[name]?.trim();
    if (!value) throw new Error(`Set ${name} in the environment of this server.`);
    return value;
  };
  const baseUrl = read('RINPATH_BASE_URL');
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol)) {
    throw new Error('RINPATH_BASE_URL must be an address such as http://localhost:3000.');
  }
  const settings = {
    baseUrl: new URL(baseUrl).origin,
    apiKey: read('RINPATH_API_KEY'),
    apiSecret: read('RINPATH_API_SECRET'),
    webhookSecret: environment['RINPATH_WEBHOOK_SECRET']?.trim(),
  };
  assertSandbox(settings);
  return settings;
}

/** @throws Error for a live key, and for any key that is not a sandbox's */
function assertSandbox({ apiKey, apiSecret }: Settings): void {
  const given = { RINPATH_API_KEY: apiKey, RINPATH_API_SECRET: apiSecret };
  for (const [name, value] of Object.entries(given)) {
    if (TEST.test(value)) continue;
    const what = LIVE.test(value) ? 'belongs to a live key' : 'belongs to no sandbox key';
    throw new Error(
      `${name} ${what}. This server works only with a sandbox: use a key with _test_ in it.`,
    );
  }
}
