// Nodes from names, attributes and texts. There is no way in for markup: what a record says
// is always a text node, and an attribute that could run or style something is refused.

const SVG = "http://www.w3.org/2000/svg";

export function h(name, attributes, ...children) {
  return filled(document.createElement(name), attributes, children);
}

export function s(name, attributes, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

export function fill(node, ...children) {
  node.replaceChildren(...children.flat(Infinity).filter((each) => each !== null && each !== undefined && each !== false));
  return node;
}

// Lets a node hold what is wanted, in that order: what stays is left alone, so that a list
// that is scrolled costs what comes in. Returns the nodes by what they are of.
export function keep(parent, nodes, wanted, make) {
  const next = new Map(wanted.map((key) => [key, nodes.get(key) || make(key)]));
  for (const [key, node] of nodes) if (!next.has(key)) node.remove();
  let at = parent.firstChild;
  for (const node of next.values()) {
    if (node === at) at = at.nextSibling;
    else parent.insertBefore(node, at);
  }
  return next;
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") {
      node.addEventListener(name.slice(2).toLowerCase(), value);
    } else if (name.startsWith("on") || name === "style" || name === "srcdoc") {
      throw new Error(`no attribute ${name} here`);
    } else {
      node.setAttribute(name, value === true ? "" : String(value));
    }
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : String(child));
  }
  return node;
}

// Words of somebody: their own direction, whatever stands around them.
export function words(text, attributes) {
  return h("bdi", { dir: "auto", ...attributes }, text);
}

export function copyButton(text, say) {
  const button = h("button", { class: "copy", type: "button", title: "Copy" },
    h("code", null, text), h("span", { class: "copy-word", "aria-hidden": "true" }, "copy"));
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
      say("Copied");
    } catch {
      getSelection().selectAllChildren(button.firstChild);
      say("Press Ctrl+C to copy");
    }
  });
  return button;
}
