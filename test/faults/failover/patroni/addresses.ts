/** How many database nodes there are, as in the example of a deployment. */
export const NODES = [1, 2, 3] as const;

export const PORTS = { postgres: 5432, patroni: 8008, etcd: 2379, etcdPeers: 2380 } as const;

const SERVICE = 9;

/**
 * Where everybody is, on loopback. A node is reached by its own address, and by others of its nodes by one for each
 * pair of them, so that the way between two can be cut.
 */
export class Addresses {
  private readonly net = 16 + (process.pid % 200);

  node(id: number): string {
    return this.between(id, id);
  }

  between(from: number, to: number): string {
    return `127.${this.net}.${from}.${to}`;
  }

  get service(): string {
    return this.between(SERVICE, SERVICE);
  }

  get names(): string[] {
    return [
      'IP:127.0.0.1',
      `IP:${this.service}`,
      ...NODES.flatMap((id) => [`DNS:${nameOf(id)}`, `IP:${this.node(id)}`]),
      'DNS:db.internal',
      'DNS:localhost',
    ];
  }

  hostsOf(from: number): string {
    const lines = NODES.map((to) => `${this.between(from, to)} ${nameOf(to)}`);
    return ['127.0.0.1 localhost', ...lines, ''].join('\n');
  }
}

/** The name by which the nodes know each other. */
export function nameOf(id: number): string {
  return `node${id}`;
}
