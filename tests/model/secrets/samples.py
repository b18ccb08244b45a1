"""Keys and tokens of the published forms, made up.

They are put together here, so that no scanner takes this file for a leak.
"""

import base64
import textwrap

MIXED = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0"
HEX = "9f8e7d6c5b4a39281706f5e4d3c2b1a0"

TOKENS = {
    "anthropic": "sk-ant-api03-" + MIXED * 2 + "-AA",
    "openai": "sk-" + MIXED + "abcd1234",
    "openai project": "sk-proj-" + MIXED,
    "aws": "AKIA" + "Z7Q3M5K2X9C4V6B8",
    "github": "ghp_" + MIXED[:36],
    "github app": "ghs_" + MIXED[:36],
    "github fine-grained": "github_pat_" + MIXED[:22] + "_" + MIXED[:36],
    "gitlab": "glpat-" + MIXED[:20],
    "slack": "xoxb-" + "123456789012-abcdefGHIJ",
    "slack app": "xapp-1-" + "A0123456789-0123456789",
    "google": "AIza" + MIXED[:35],
    "google oauth": "ya29." + MIXED,
    "stripe": "sk_live_" + MIXED[:24],
    "stripe webhook": "whsec_" + MIXED[:32],
    "npm": "npm_" + MIXED[:36],
    "pypi": "pypi-AgEIcHlwaS5vcmc" + MIXED,
    "hugging face": "hf_" + MIXED[:34],
    "jwt": "eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxMjM0In0." + MIXED,
    "telegram": "123456789:" + "AA" + MIXED[:33],
    "twilio": "SK" + HEX,
    "age": "AGE-SECRET-KEY-1" + "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7LQPZRY9X8GF2TVDW0S3JN54KHCE",
    "shopify": "shpat_" + HEX,
    "shopify shared": "shpss_" + HEX,
    "shopify custom": "shpca_" + HEX,
    "shopify private": "shppa_" + HEX,
    "mailgun": "key-" + HEX,
    "mailgun public": "pubkey-" + HEX,
    "mailgun signing": HEX + "-" + HEX[:8] + "-" + HEX[8:16],
    "discord bot": "MTA4NzY1NDMyMTA5ODc2NTQzMg" + ".GaBcDe." + MIXED[:38],
    "discord": "mfa." + MIXED * 2 + "a1B2",
    "linear": "lin_api_" + MIXED,
    "linear oauth": "lin_oauth_" + MIXED,
    **{
        f"doppler {kind}": f"dp.{kind}." + MIXED + "abc"
        for kind in ("pt", "st", "sa", "ct", "scim", "audit")
    },
    "vault": "hvs." + MIXED,
    "digitalocean": "dop_v1_" + HEX * 2,
    "databricks": "dapi" + HEX,
    "postman": "PMAK-" + HEX[:24] + "-" + (HEX + HEX)[:34],
    "1password": "A3-" + "ASWWYB-798JRY-LJVD4-23DC2-86TVM-H43EB",
}

PEM_BODY = "\n".join(textwrap.wrap(base64.b64encode(bytes(range(256))).decode(), 64))
PEM = f"-----BEGIN RSA PRIVATE KEY-----\n{PEM_BODY}\n-----END RSA PRIVATE KEY-----"
