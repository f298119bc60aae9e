# SPDX-License-Identifier: Apache-2.0
"""Renders a chart as Helm does, and checks what comes out against the schemas of Kubernetes: render.py CHART.

Each line of standard input asks once: {"values": …, "version": …}, with the version of Kubernetes. Each is answered by a line:
{"lint": …, "documents": […], "faults": […]}, or {"refused": …} where the chart refuses the values.
"""

import json
import sys

import helm_python as helm
import kubernetes_validate
import yaml

[chart_path] = sys.argv[1:]


def answer(values, version):
    try:
        with helm.Chart.load(chart_path) as chart:
            rendered = chart.render(values, name="shop", namespace="search")
    except helm.HelmError as error:
        return {"refused": str(error)}
    documents, faults = [], []
    for template, text in rendered.items():
        if not template.endswith(".yaml"):
            continue
        for document in yaml.safe_load_all(text):
            if document is None:
                continue
            documents.append(document)
            try:
                kubernetes_validate.validate(document, version, strict=True)
            except kubernetes_validate.ValidationError as error:
                faults.append(f"{template}: {error}")
    return {"lint": helm.lint(chart_path), "documents": documents, "faults": faults}


for line in sys.stdin:
    print(json.dumps(answer(**json.loads(line))), flush=True)
