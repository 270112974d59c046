"""What a person sees, in a real Chromium: Swagger UI tries a request, Neo4j Browser draws the demo's graph.

Set ``MEMGRAPH_TEST_PICTURES`` to a folder to keep the pictures that the documentation shows.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

SWITCHES = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1400,1000",
)
QUERY = 'MATCH (a:Atom {namespaceId: "demo"})-[r]-(n:Memory|Topic) RETURN a, r, n LIMIT 100'


@dataclass
class Stack:
    """A running stack with the demo in it."""

    data: Path
    api: str
    bolt: str
    browser: str


def command(*words: str) -> str:
    env = {key: value for key, value in os.environ.items() if not key.startswith(("NEO4J_", "MEMGRAPH_"))}
    done = subprocess.run(
        [sys.executable, "-m", "memgraph_svc.cli.main", *words],
        env=env,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    data = tmp_path_factory.mktemp("pages")
    command("up", "--detach", "--data", str(data), "--port", "0", "--bolt-port", "0", "--browser-port", "0")
    try:
        found = json.loads(command("status", "--json", "--data", str(data)))
        made = Stack(data, found["api"]["url"], found["neo4j"]["uri"], found["neo4j"]["browser"])
        command("demo", "--url", made.api, "--json")
        yield made
    finally:
        command("down", "--data", str(data))


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    program, driver = shutil.which("chromium"), shutil.which("chromedriver")
    assert program, "this test looks at pages: apt-get install chromium chromium-driver"
    assert driver, "this test looks at pages: apt-get install chromium chromium-driver"
    options = webdriver.ChromeOptions()
    options.binary_location = program
    for each in (*SWITCHES, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(each)
    with webdriver.Chrome(options=options, service=Service(driver)) as running:
        yield running


def picture(chromium: webdriver.Chrome, name: str, tmp_path: Path) -> None:
    folder = Path(os.environ.get("MEMGRAPH_TEST_PICTURES", tmp_path))
    assert chromium.save_screenshot(str(folder / f"{name}.png"))


def test_swagger_ui_lists_the_routes_and_tries_one(stack: Stack, chromium: webdriver.Chrome, tmp_path: Path) -> None:
    wait = WebDriverWait(chromium, 30)
    chromium.get(f"{stack.api}/docs/")
    wait.until(lambda it: len(it.find_elements(By.CSS_SELECTOR, ".opblock")) >= 10)
    shown = {each.text for each in chromium.find_elements(By.CSS_SELECTOR, ".opblock-summary-path")}
    assert {"/v0/ingest", "/v0/query", "/v0/hydrate", "/v0/assemble-context", "/v0/remember", "/v0/index"} <= shown
    picture(chromium, "swagger", tmp_path)
    (ready,) = (
        each
        for each in chromium.find_elements(By.CSS_SELECTOR, ".opblock")
        if each.find_element(By.CSS_SELECTOR, ".opblock-summary-path").text == "/health/ready"
    )
    ready.find_element(By.CSS_SELECTOR, ".opblock-summary-control").click()
    wait.until(lambda _: ready.find_elements(By.CSS_SELECTOR, ".try-out__btn"))[0].click()
    wait.until(lambda _: ready.find_elements(By.CSS_SELECTOR, ".execute"))[0].click()
    told = wait.until(lambda _: ready.find_elements(By.CSS_SELECTOR, ".live-responses-table .response-col_status"))
    assert told[-1].text.startswith("200")
    # Other pages of this run may have asked for fonts that a closed network does not give.
    severe = [each["message"] for each in chromium.get_log("browser") if each["level"] == "SEVERE"]
    assert [message for message in severe if stack.api in message] == []


def test_neo4j_browser_draws_the_demo(stack: Stack, chromium: webdriver.Chrome, tmp_path: Path) -> None:
    wait = WebDriverWait(chromium, 60)
    password = (stack.data / "neo4j-password").read_text().strip()
    chromium.get(f"{stack.browser}?connectURL={stack.bolt.replace('bolt://', 'bolt://neo4j@')}")
    wait.until(lambda it: it.find_elements(By.CSS_SELECTOR, "[data-testid=password]"))[0].send_keys(password)
    chromium.find_element(By.CSS_SELECTOR, "[data-testid=connect]").click()
    wait.until(lambda it: not it.find_elements(By.CSS_SELECTOR, "[data-testid=password]"))
    editor = wait.until(lambda it: it.find_elements(By.CSS_SELECTOR, ".monaco-editor textarea"))[0]
    editor.send_keys(QUERY)
    editor.send_keys(Keys.CONTROL, Keys.ENTER)
    nodes = wait.until(lambda it: it.find_elements(By.CSS_SELECTOR, "g.node"))
    assert len(nodes) >= 20
    labels = wait.until(lambda it: it.find_elements(By.XPATH, "//*[contains(text(), 'Displaying')]"))
    assert "relationships" in labels[0].text
    picture(chromium, "browser", tmp_path)
