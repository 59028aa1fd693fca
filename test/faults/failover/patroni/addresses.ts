/** The database nodes of the deployment example. */
export const NODES = [1, 2, 3] as const;

export const PORTS = { postgres: 5432, patroni: 8008, etcd: 2379, etcdPeers: 2380 } as const;

const SERVICE = 9;

/**
 * Loopback addresses of all parts. Each pair of nodes has its own addresses, so that the connection between two can be
 * cut.
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
