// SPDX-License-Identifier: Apache-2.0
/** What a web page tries that may not use a service: all ways of a browser to send a request for it. */

export type Route = { readonly method: string; readonly path: string };

/** What the page has got at; nothing, if all is well. */
export type Loot = {
  /** Requests whose answer the page could read, or that ran as a script, image or style. */
  readonly readable: readonly string[];
  readonly requests: number;
};

/**
 * A page of HTML with the functions that tests call in it. `attack` asks every route with `fetch`, both as a page may without permission and as it
 * may with it, sends forms, and loads scripts, images, styles and frames; `connect` opens web sockets; `read` asks every route of the page's own origin.
 */
export const HOSTILE_PAGE = `<!doctype html><title>A page of somebody else</title><body><script>
const PARALLEL = 12;
// What would do harm where it is taken.
const BODIES = [
  [/\\/auth\\/admin/, '{"password":"Correct-Horse-42"}'],
  [/\\/auth\\/enabled/, '{"enabled":true}'],
  [/\\/auth\\/token$/, '{"grant_type":"password","username":"admin@localhost","password":"Correct-Horse-42"}'],
  [/\\/collections\\/[^/]+$/, '{"vectors":{"size":1,"distance":"Dot"}}'],
];
const bodyOf = (path) => BODIES.find(([pattern]) => pattern.test(path))?.[1] ?? '{}';

async function each(items, work) {
  const left = [...items];
  await Promise.all(Array.from({ length: PARALLEL }, async () => {
    while (left.length > 0) await work(left.shift());
  }));
}

function waysOf(service, { method, path }) {
  const url = service + path;
  const body = bodyOf(path);
  const hasBody = method !== 'GET';
  const simple = (type) => ({ method: hasBody ? 'POST' : 'GET', ...(hasBody && { body, headers: { 'content-type': type } }) });
  return [
    ['no-cors', url, { ...simple('text/plain'), mode: 'no-cors', credentials: 'include' }],
    ['no type', url, { ...(hasBody ? { method: 'POST', body: new Blob([body]) } : {}), mode: 'no-cors' }],
    ['simple', url, simple('application/x-www-form-urlencoded')],
    ['preflighted', url, { method, ...(hasBody && { body }), headers: { 'content-type': 'application/json', 'api-key': 'x' } }],
  ];
}

async function attack(service, routes) {
  const readable = [];
  let requests = 0;
  await each(routes.flatMap((route) => waysOf(service, route)), async ([way, url, options]) => {
    requests += 1;
    const response = await fetch(url, options).catch(() => undefined);
    if (response !== undefined && response.type !== 'opaque') readable.push(way + ' ' + options.method + ' ' + url + ' ' + (await response.text()).slice(0, 200));
  });
  await each(routes, async ({ method, path }) => {
    requests += 1;
    if (method === 'GET') await each(['script', 'img', 'link', 'iframe'], (tag) => embed(tag, service + path, readable));
    else await submit(service, path);
  });
  return { readable, requests };
}

function embed(tag, url, readable) {
  return new Promise((resolve) => {
    const element = document.createElement(tag);
    const end = () => {
      element.remove();
      resolve();
    };
    element.onload = () => {
      // A frame has loaded in any case, if only the refusal; what counts is whether the page sees into it.
      const seen = tag === 'iframe' ? peek(element) : tag;
      if (seen !== undefined) readable.push(seen + ' ' + url);
      end();
    };
    element.onerror = end;
    if (tag === 'link') Object.assign(element, { rel: 'stylesheet', href: url });
    else element.src = url;
    document.body.append(element);
  });
}

function peek(frame) {
  try {
    return frame.contentWindow.location.href === 'about:blank' ? undefined : frame.contentDocument.body.textContent;
  } catch {
    return undefined;
  }
}

function submit(service, path) {
  return new Promise((resolve) => {
    const frame = document.createElement('iframe');
    frame.name = 'target' + Math.random();
    const form = Object.assign(document.createElement('form'), { action: service + path, method: 'POST', enctype: 'text/plain', target: frame.name });
    // A form of plain text can write JSON.
    form.append(Object.assign(document.createElement('input'), { name: bodyOf(path).slice(0, -1) + ',"x":"', value: '"}' }));
    document.body.append(frame, form);
    let loads = 0;
    frame.onload = () => {
      loads += 1;
      if (loads > 1 || frame.contentWindow.length >= 0) setTimeout(() => {
        frame.remove();
        form.remove();
        resolve();
      }, 50);
    };
    form.submit();
  });
}

async function connect(service, routes) {
  const open = [];
  await each(routes, ({ path }) => new Promise((resolve) => {
    const socket = new WebSocket(service.replace('http', 'ws') + path);
    socket.onopen = () => {
      open.push(path);
      resolve();
    };
    socket.onerror = resolve;
  }));
  return open;
}

async function read(routes) {
  const answers = [];
  await each(routes, async ({ method, path }) => {
    const response = await fetch(path, { method, ...(method !== 'GET' && { body: bodyOf(path), headers: { 'content-type': 'application/json' } }) });
    answers.push({ status: response.status, text: (await response.text()).slice(0, 300) });
  });
  return answers;
}
</script>`;
