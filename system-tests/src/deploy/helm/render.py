# SPDX-License-Identifier: Apache-2.0
"""Renders a chart as Helm does, and checks what comes out against the schemas of Kubernetes: render.py CHART VERSION, the values as JSON on standard input.

Prints {"lint": …, "documents": [{"template": …, "document": …}], "faults": […]}, or {"refused": …} where the chart refuses the values.
"""

import json
import sys

import helm_python as helm
import kubernetes_validate
import yaml

chart_path, version = sys.argv[1:]
values = json.load(sys.stdin)

try:
    with helm.Chart.load(chart_path) as chart:
        rendered = chart.render(values, name="shop", namespace="search")
except helm.HelmError as error:
    print(json.dumps({"refused": str(error)}))
    sys.exit()

documents, faults = [], []
for template, text in rendered.items():
    if not template.endswith(".yaml"):
        continue
    for document in yaml.safe_load_all(text):
        if document is None:
            continue
        documents.append({"template": template, "document": document})
        try:
            kubernetes_validate.validate(document, version, strict=True)
        except kubernetes_validate.ValidationError as error:
            faults.append(f"{template}: {error}")

print(json.dumps({"lint": helm.lint(chart_path), "documents": documents, "faults": faults}))
