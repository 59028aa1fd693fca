import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  environmentVariables,
  parseEnvironment,
  projectPath,
} from '../../../src/platform/index.js';
import { TEST_MASTER_KEY } from '../../support/service.js';

type Variables = Record<string, string>;

const REPLICAS = ['replica-1.environment', 'replica-2.environment'];
/** Node reads it automatically. */
const OF_NODE = ['NODE_EXTRA_CA_CERTS'];

function text(name: string): string {
  return readFileSync(projectPath(`deploy/${name}`), 'utf8');
}

/** Every directive of a unit, in order; a directive may occur several times. */
function unit(): [string, string][] {
  const lines = text('systemd/rinpath@.service').split('\n');
  return lines
    .filter((line) => /^\w+=/.test(line))
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
}

describe('the example of a deployment', () => {
  const common: Variables = {};

  beforeAll(() => {
    Object.assign(common, parseEnv(text('environment')));
    common.MASTER_KEY = TEST_MASTER_KEY;
  });

  it('names no variable that the service does not read, and has the values that it takes', () => {
    for (const replica of REPLICAS) {
      const variables = { ...common, ...(parseEnv(text(replica)) as Variables) };
      expect(parseEnvironment(variables)).toMatchObject({ mode: 'production' });
      const read = new Set(environmentVariables());
      const unread = Object.keys(variables).filter((name) => !read.has(name));
      expect(unread).toEqual(OF_NODE);
    }
    // A transaction pooler supports named statements only with this setting.
    const isKept = /^max_prepared_statements *= *[1-9]/m.test(text('pgbouncer.ini'));
    expect(common.DATABASE_NAMED_STATEMENTS).toBe(String(isKept));
    const ports = REPLICAS.flatMap((name) => Object.values(parseEnv(text(name)) as Variables));
    expect(new Set(ports).size).toBe(4);
  });

  it('answers a commit when a standby has it, and replaces the primary by no other', () => {
    const { bootstrap } = parse(text('patroni/config.yml')) as {
      bootstrap: { dcs: Record<string, unknown> & { postgresql: { parameters: Variables } } };
    };
    const { dcs } = bootstrap;
    expect(dcs).toMatchObject({ synchronous_mode: true, synchronous_mode_strict: true });
    const { parameters } = dcs.postgresql;
    expect(parameters).toMatchObject({
      synchronous_commit: 'on',
      fsync: 'on',
      full_page_writes: 'on',
    });
    // Patroni sets it to the standby that it has chosen.
    expect(parameters).not.toHaveProperty('synchronous_standby_names');
    expect(dcs.ttl).toBeGreaterThanOrEqual(Number(dcs.loop_wait) + 2 * Number(dcs.retry_timeout));
  });

  it('starts in the unit and in the image what `npm start` starts, without rights', () => {
    const { scripts } = JSON.parse(readFileSync(projectPath('package.json'), 'utf8')) as {
      scripts: Variables;
    };
    const [, variable, command] = /^(\w+=\S+) exec node (.+)$/.exec(scripts.start)!;
    expect(unit()).toContainEqual(['Environment', variable]);
    expect(text('Containerfile').split('\n')).toContain(`ENV ${variable}`);
    const started = unit().find(([name]) => name === 'ExecStart')?.[1];
    expect(started).toBe(`/opt/rinpath/node_modules/.bin/node ${command}`);
    const lines = text('Containerfile').split('\n');
    const words = lines
      .filter((line) => /^(ENTRYPOINT|CMD) /.test(line))
      .flatMap((line) => JSON.parse(line.replace(/^\w+ /, '')) as string[]);
    expect(words.join(' ')).toBe(`node_modules/.bin/node ${command}`);
    const settings = Object.fromEntries(unit());
    expect(settings).toMatchObject({
      User: 'rinpath',
      NoNewPrivileges: 'true',
      ProtectSystem: 'strict',
      CapabilityBoundingSet: '',
    });
  });
});
