"""Headless Chromium through its driver, for tests of pages."""

import json
from pathlib import Path

import pytest

DRIVERS = ("/usr/bin/chromedriver", "/snap/bin/chromium.chromedriver")
BROWSERS = ("/usr/bin/chromium", "/snap/bin/chromium")


class Browser:
    """Chromium through its driver, with its console and its requests."""

    def __init__(self, downloads: Path) -> None:
        webdriver = pytest.importorskip("selenium.webdriver", reason="needs python3-selenium")
        from selenium.webdriver.chrome.service import Service

        driver, binary = (next((p for p in paths if Path(p).exists()), None) for paths in (DRIVERS, BROWSERS))
        if not driver or not binary:
            pytest.skip("needs chromium and chromium-driver")
        options = webdriver.ChromeOptions()
        options.binary_location = binary
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service(driver), options=options)
        self.downloads = downloads
        self.driver.execute_cdp_cmd(
            "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(downloads)}
        )

    def open(self, page: Path, width: int, scheme: str = "light") -> None:
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        metrics = {"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": width < 600}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        self.driver.get("about:blank")  # drops the remaining messages of the last page
        self.driver.get_log("performance")
        self.driver.get_log("browser")
        self.driver.get(page.as_uri())

    def run(self, script: str, *arguments: object):
        return self.driver.execute_script(script, *arguments)

    def console(self) -> list[str]:
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self) -> list[str]:
        messages = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        sent = [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
        return [url for url in sent if not url.startswith(("data:", "about:"))]
