"""The published forms of keys and tokens: a table, one line each.

Facts are from the services' own documentation of their keys and of secret scanning. A form begins
with its ``prefix``, which is searched as it is; ``rest`` matches what follows, one class of
characters at a time, so that a search is linear. Where a token has no fixed beginning, ``prefix``
is a text that is somewhere in each, and ``whole`` matches the token.
"""

from git_retcon.lazy_named_tuple import NamedTuple

_B64 = rb"[A-Za-z0-9+/]"
_URL = rb"[A-Za-z0-9_-]"
_WORD = rb"[A-Za-z0-9]"
_HEX = rb"[A-Fa-f0-9]"
_UUID = _HEX + rb"{8}-(?:" + _HEX + rb"{4}-){3}" + _HEX + rb"{12}"
_END = rb"(?![A-Za-z0-9])"


class Form(NamedTuple):
    """``random``: what follows the prefix must look random too, since words begin like it.

    A group in ``rest`` is the part that is secret; without one, all of it is. ``begins`` and
    ``least``: what ``whole`` begins with, so many characters of these at least.
    """

    service: str
    prefix: bytes
    rest: bytes = b""
    whole: bytes = b""
    random: bool = False
    begins: bytes = b""
    least: int = 0


FORMS = (
    # models
    Form("Anthropic", b"sk-ant-", _URL + rb"{16,4096}"),
    Form("OpenAI", b"sk-", _URL + rb"{20,300}", random=True),
    Form("Hugging Face", b"hf_", _WORD + rb"{30,60}"),
    Form("Hugging Face, organization", b"api_org_", _WORD + rb"{34}"),
    Form("Perplexity", b"pplx-", _WORD + rb"{48}"),
    Form("Groq", b"gsk_", _WORD + rb"{40,60}"),
    Form("xAI", b"xai-", _WORD + rb"{70,90}"),
    Form("Replicate", b"r8_", _WORD + rb"{37}"),
    # clouds
    *(
        Form("Amazon", prefix, rb"[A-Z0-9]{16}(?![A-Z0-9])")
        for prefix in (b"AKIA", b"ASIA", b"ABIA", b"ACCA")
    ),
    Form("Amazon Bedrock", b"ABSK", _B64 + rb"{100,280}={0,2}"),
    Form("Amazon Bedrock, short", b"bedrock-api-key-", _B64 + rb"{24,4096}={0,2}"),
    Form("Google", b"AIza", _URL + rb"{35}"),
    Form("Google OAuth", b"ya29.", _URL + rb"{20,2048}"),
    Form("Google OAuth client", b"GOCSPX-", _URL + rb"{20,100}"),
    Form("Azure AD", b"Q~", whole=rb"[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}"),
    Form("Azure storage", b"AccountKey=", rb"([A-Za-z0-9+/]{80,90}={0,2})"),
    Form("Alibaba", b"LTAI", _WORD + rb"{12,24}" + _END, random=True),
    Form("DigitalOcean", b"doo_v1_", _HEX + rb"{64}"),
    Form("DigitalOcean", b"dop_v1_", _HEX + rb"{64}"),
    Form("DigitalOcean", b"dor_v1_", _HEX + rb"{64}"),
    Form("Cloudflare origin CA", b"v1.0-", rb"[a-f0-9]{24}-[a-f0-9]{146}"),
    Form("Heroku", b"HRKU-AA", _URL + rb"{58}"),
    Form("Fly.io", b"fo1_", _URL + rb"{43}"),
    Form("Fly.io", b"fm1a_", rb"[A-Za-z0-9+/_-]{100,4096}={0,3}"),
    Form("Fly.io", b"fm1r_", rb"[A-Za-z0-9+/_-]{100,4096}={0,3}"),
    Form("Fly.io", b"fm2_", rb"[A-Za-z0-9+/_-]{100,4096}={0,3}"),
    Form("Scalingo", b"tk-us-", _URL + rb"{48}"),
    Form("Yandex", b"t1.", _URL + rb"{1,400}={0,2}\." + _URL + rb"{86}={0,2}"),
    Form("Yandex", b"AQVN", _URL + rb"{35,38}", random=True),
    Form("Databricks", b"dapi", rb"[a-f0-9]{32}(?:-[0-9])?"),
    Form("OpenShift", b"sha256~", _URL + rb"{43}"),
    Form("ClickHouse Cloud", b"4b1d", _WORD + rb"{38}" + _END),
    Form("PlanetScale", b"pscale_tkn_", rb"[A-Za-z0-9_=.-]{32,64}"),
    Form("PlanetScale", b"pscale_oauth_", rb"[A-Za-z0-9_=.-]{32,64}"),
    Form("PlanetScale", b"pscale_pw_", rb"[A-Za-z0-9_=.-]{32,64}"),
    # code, packages and builds
    *(Form("GitHub", b"gh%c_" % kind, _WORD + rb"{30,255}") for kind in b"pousr"),
    Form("GitHub", b"github_pat_", rb"[A-Za-z0-9_]{22,255}"),
    *(
        Form("GitLab", b"gl%s-" % kind, rb"[A-Za-z0-9_.-]{20,300}")
        for kind in b"pat ptt dt rt oas cbt ft imt agent soat ffct".split()
    ),
    Form("GitLab runner", b"GR1348941", _URL + rb"{20}"),
    Form("GitLab session", b"_gitlab_session=", rb"([0-9a-z]{32})"),
    Form("npm", b"npm_", _WORD + rb"{36}"),
    Form("PyPI", b"pypi-", _URL + rb"{32,1024}"),
    Form("RubyGems", b"rubygems_", rb"[a-f0-9]{48}"),
    Form("Clojars", b"CLOJARS_", _WORD + rb"{60}"),
    Form("NuGet", b"oy2", rb"[a-z0-9]{43}" + _END),
    Form("Docker Hub", b"dckr_pat_", _URL + rb"{20,100}"),
    Form("Artifactory", b"AKCp", _WORD + rb"{69}" + _END),
    Form("Artifactory", b"cmVmd", _WORD + rb"{59}" + _END),
    Form("Harness", b"pat.", _URL + rb"{22}\." + _WORD + rb"{24}\." + _WORD + rb"{20}"),
    Form("Harness", b"sat.", _URL + rb"{22}\." + _WORD + rb"{24}\." + _WORD + rb"{20}"),
    Form("Octopus Deploy", b"API-", rb"[A-Z0-9]{26}" + _END, random=True),
    Form("Pulumi", b"pul-", rb"[a-f0-9]{40}"),
    Form("Prefect", b"pnu_", _WORD + rb"{36}"),
    Form("Terraform Cloud", b".atlasv1.", whole=_WORD + rb"{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70}"),
    Form("Infracost", b"ico-", _WORD + rb"{32}" + _END, random=True),
    Form("Sourcegraph", b"sgp_", rb"(?:(?:[A-Fa-f0-9]{16}|local)_)?[A-Fa-f0-9]{40}"),
    *(Form("SonarQube", b"sq%c_" % kind, rb"[a-f0-9]{40}") for kind in b"upa"),
    Form("Snyk", b"snyk_uat.", rb"[A-Za-z0-9_.-]{20,4096}"),
    Form("Postman", b"PMAK-", _HEX + rb"{24}-" + _HEX + rb"{34}"),
    Form("ReadMe", b"rdme_", rb"[a-z0-9]{70}"),
    # keys of keys
    Form("Vault", b"hvs.", _URL + rb"{24,300}"),
    Form("Vault, batch", b"hvb.", _URL + rb"{24,400}"),
    Form("Vault, before 1.10", b"s.", _WORD + rb"{24}" + _END, random=True),
    Form("age", b"AGE-SECRET-KEY-1", rb"[A-Z0-9]{58}"),
    Form(
        "1Password",
        b"A3-",
        rb"[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})" rb"(?:-[A-Z0-9]{5}){3}",
    ),
    Form("1Password", b"ops_eyJ", _B64 + rb"{100,8192}={0,3}"),
    *(
        Form("Doppler", b"dp.%s." % kind, rb"(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}")
        for kind in b"pt st sa ct scim audit".split()
    ),
    Form("Infisical", b"st.", _HEX + rb"{24}\." + _HEX + rb"{32}\." + _HEX + rb"{32}"),
    # messages
    Form("Slack", b"xox", rb"[a-z](?:\.xox[a-z])?-[A-Za-z0-9-]{10,300}"),
    Form("Slack", b"xapp-", rb"[0-9]-[A-Za-z0-9-]{10,300}"),
    Form("Telegram", b":A", whole=rb"[0-9]{5,16}:A[A-Za-z0-9_-]{34}(?![A-Za-z0-9_-])"),
    Form(
        "Discord bot",
        b".",
        whole=rb"[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\."
        rb"[A-Za-z0-9_-]{27,40}(?![A-Za-z0-9_.-])",
    ),
    Form("Discord", b"mfa.", _URL + rb"{84}"),
    Form("Twilio", b"SK", rb"[0-9a-fA-F]{32}" + _END),
    Form("SendGrid", b"SG.", rb"[A-Za-z0-9_=.-]{50,70}", random=True),
    Form("Mailgun", b"key-", rb"[a-f0-9]{32}" + _END),
    Form("Mailgun", b"pubkey-", rb"[a-f0-9]{32}" + _END),
    Form(
        "Mailgun signing",
        b"-",
        whole=rb"[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8}(?![A-Za-z0-9-])",
        begins=b"0123456789abcdef",
        least=32,
    ),
    Form("Mailchimp", b"-us", whole=rb"[a-f0-9]{32}-us[0-9]{1,2}" + _END),
    Form("Brevo", b"xkeysib-", rb"[a-f0-9]{64}-[A-Za-z0-9]{16}"),
    Form("Sinch Mailjet", b"xsmtpsib-", rb"[a-f0-9]{64}-[A-Za-z0-9]{16}"),
    # money and shops
    *(
        Form("Stripe", b"%sk_%s_" % (kind, mode), _WORD + rb"{10,255}")
        for kind in (b"s", b"r")
        for mode in (b"live", b"test", b"prod")
    ),
    Form("Stripe webhook", b"whsec_", rb"[A-Za-z0-9+/=]{24,255}"),
    *(Form("Shopify", b"shp%s_" % kind, _HEX + rb"{32}") for kind in b"at ca pa ss".split()),
    Form("Square", b"EAAA", _URL + rb"{22,60}" + _END, random=True),
    Form("Square", b"sq0atp-", _URL + rb"{22,60}"),
    Form("Square", b"sq0csp-", _URL + rb"{22,60}"),
    Form("Flutterwave", b"FLWSECK_TEST-", rb"[A-Ha-h0-9]{12,32}(?:-X)?"),
    Form("Flutterwave", b"FLWSECK-", rb"[A-Za-z0-9]{12,64}(?:-X)?"),
    Form("Flutterwave", b"FLWPUBK_TEST-", rb"[A-Ha-h0-9]{32}-X"),
    Form("Plaid", b"access-", rb"(?:sandbox|development|production)-" + _UUID),
    Form("GoCardless", b"live_", rb"[A-Za-z0-9_=-]{40}" + _END, random=True),
    Form("Lob", b"_", whole=rb"(?:live|test)_(?:[a-f0-9]{35}|pub_[a-f0-9]{31})" + _END),
    Form("EasyPost", b"EZAK", _WORD + rb"{54}"),
    Form("EasyPost", b"EZTK", _WORD + rb"{54}"),
    Form("Shippo", b"shippo_live_", _HEX + rb"{40}"),
    Form("Shippo", b"shippo_test_", _HEX + rb"{40}"),
    Form("Duffel", b"duffel_live_", rb"[A-Za-z0-9_=-]{43}"),
    Form("Duffel", b"duffel_test_", rb"[A-Za-z0-9_=-]{43}"),
    # watching
    Form("Grafana", b"glc_", _B64 + rb"{32,400}={0,3}"),
    Form("Grafana", b"glsa_", _WORD + rb"{32}_[A-Fa-f0-9]{8}"),
    Form("Grafana", b"eyJrIjoi", _B64 + rb"{70,400}={0,3}"),
    Form("Sentry", b"sntrys_", rb"[A-Za-z0-9+/=_-]{40,600}"),
    Form("Sentry", b"sntryu_", rb"[a-f0-9]{64}"),
    Form("Dynatrace", b"dt0c01.", _WORD + rb"{24}\." + _WORD + rb"{64}"),
    Form("New Relic", b"NRAK-", rb"[A-Z0-9a-z]{27}"),
    Form("New Relic", b"NRJS-", rb"[a-f0-9]{19}"),
    Form("New Relic", b"NRII-", rb"[A-Za-z0-9-]{32}"),
    # teams and sites
    Form("Linear", b"lin_api_", _WORD + rb"{40}"),
    Form("Linear", b"lin_oauth_", _WORD + rb"{40,64}"),
    Form("Notion", b"ntn_", rb"[0-9]{11}[A-Za-z0-9]{35}"),
    Form("Notion", b"secret_", _WORD + rb"{43}" + _END),
    Form("Atlassian", b"ATATT3", rb"[A-Za-z0-9_=-]{100,300}"),
    Form("Airtable", b"pat", _WORD + rb"{14}\.[a-f0-9]{64}"),
    Form("Adobe", b"p8e-", _WORD + rb"{32}" + _END),
    Form("Beamer", b"b_", rb"[A-Za-z0-9_=-]{44}" + _END, random=True),
    Form("Typeform", b"tfp_", rb"[A-Za-z0-9_.=-]{40,59}"),
    Form("Figma", b"figd_", _URL + rb"{40}"),
    Form("Frame.io", b"fio-u-", rb"[A-Za-z0-9_=-]{64}"),
    Form("Dropbox", b"sl.", rb"[A-Za-z0-9_=-]{135,200}"),
    Form("Mapbox", b"pk.", rb"[A-Za-z0-9]{60}\.[A-Za-z0-9]{22}"),
    Form("Mapbox", b"sk.", rb"eyJ[A-Za-z0-9]{57,90}\.[A-Za-z0-9_-]{22}"),
    Form("MaxMind", b"_mmk", whole=_WORD + rb"{6}_" + _WORD + rb"{29}_mmk"),
    Form("Meta", b"EAA", rb"[MC][A-Za-z0-9]{100,400}"),
    Form("Meta", b"|", whole=rb"[0-9]{15,16}\|[A-Za-z0-9_-]{27,40}(?![A-Za-z0-9_-])", random=True),
    Form("Twitter", b"A" * 22, rb"[A-Za-z0-9%]{80,100}", random=True),
    Form(
        "Twitter",
        b"-",
        whole=rb"[0-9]{15,25}-(?=[0-9]{0,39}[A-Za-z])[A-Za-z0-9]{20,40}" + _END,
        begins=b"0123456789",
        least=15,
    ),
    Form("Intra 42", b"s-s4t2", rb"(?:ud|af)-[A-Fa-f0-9]{64}"),
    *(
        Form("SettleMint", b"sm_%sat_" % kind, _WORD + rb"{16}" + _END)
        for kind in (b"a", b"p", b"s")
    ),
    Form("Defined Networking", b"dnkey-", rb"[A-Za-z0-9=_-]{26}-[A-Za-z0-9=_-]{52}"),
    Form(
        "Authress",
        b".acc",
        whole=rb"(?:sc|ext|scauth|authress)_[A-Za-z0-9]{5,30}\.[A-Za-z0-9]{4,6}\."
        rb"acc[_-][A-Za-z0-9-]{10,32}\.[A-Za-z0-9+/_=-]{30,120}",
    ),
    # addresses that are keys
    Form(
        "Slack webhook",
        b"hooks.slack.com/",
        rb"(?:services|workflows|triggers)/([A-Za-z0-9+/]{18,100})",
    ),
    Form("Discord webhook", b"/api/webhooks/", rb"[0-9]{15,22}/([A-Za-z0-9_-]{50,100})"),
    Form(
        "Teams webhook",
        b".webhook.office.com/webhookb2/",
        rb"([A-Za-z0-9@-]{36,80}/IncomingWebhook/" rb"[A-Za-z0-9]{32}/[A-Za-z0-9-]{36})",
    ),
    # RFC 7519
    Form(
        "JWT",
        b"eyJ",
        whole=rb"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,8192}+"
        rb"\.ey[A-Za-z0-9_-]{8,8192}+"
        rb"\.[A-Za-z0-9_/-]{8,8192}+={0,2}",
    ),
)
