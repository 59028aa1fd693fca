import { describe, expect, it } from 'vitest';
import { Addresses } from './addresses.ts';
import {
  etcdVariables,
  firstStatements,
  haproxyConfiguration,
  patroniConfiguration,
  pgbouncerConfiguration,
  serviceVariables,
} from './example.ts';

const addresses = new Addresses();
const places = {
  id: 2,
  certificates: '/scratch/certificates',
  archive: '/scratch/wal',
  archiveScript: '/scratch/archive-wal',
  binDir: '/scratch/node2/bin',
  dataDir: '/scratch/node2/data',
  socketDir: '/scratch/node2/sockets',
  ownDir: '/scratch/node2',
};

// The run itself needs Debian's packages and root. This spec checks what it makes of the example.
describe('the long form of the failover proof', () => {
  it('takes every address and folder of the example for one of its own', () => {
    const texts = [
      patroniConfiguration(addresses, places),
      JSON.stringify(etcdVariables(addresses, places)),
      haproxyConfiguration(addresses, places),
      pgbouncerConfiguration(addresses, places, '/scratch/ways'),
      JSON.stringify(serviceVariables(addresses, places, 'secret')),
    ];
    const lines = texts.flatMap((text) => text.split('\n'));
    const settings = lines.filter((line) => !/^\s*[#;]/.test(line));
    const left = /10\.0\.0\.|db\.internal|\/(etc|srv|dev|usr\/local|var\/lib)\/(?!log\b)/;
    expect(settings.filter((line) => left.test(line))).toEqual([]);
  });

  it('makes the roles that the example tells the operator to make', () => {
    expect(firstStatements('secret')).toContain(`CREATE ROLE rinpath LOGIN PASSWORD 'secret'`);
  });
});
