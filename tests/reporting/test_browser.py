"""The page in a real browser: it draws, it answers, it stays on this machine."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from urllib.parse import quote

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

from made_up import made_up, only
from toy_items import CLASSES, SCRIPT, STRANGE, predictions, toy_dataset
from votewise.reporting import build, items_section
from votewise.workflows.reporting import contents

FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--window-size=1280,900",
)  # fmt: skip


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or driver is None:
        pytest.fail("the page is tested in chromium, which is not here: apt-get install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('chromium')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    chrome = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    yield chrome
    chrome.quit()


@pytest.fixture
def page(browser: webdriver.Chrome, made_up_page: Path) -> webdriver.Chrome:
    """The page as it is when it is opened."""
    return opened(browser, made_up_page.as_uri())


@pytest.fixture
def drawn_page(page: webdriver.Chrome) -> webdriver.Chrome:
    """The page when all its charts are drawn."""
    return drawn(page)


def opened(browser: webdriver.Chrome, address: str) -> webdriver.Chrome:
    browser.get("about:blank")
    for log in ("browser", "performance"):  # what went before, such as the browser's own first tab
        browser.get_log(log)
    browser.get(address)
    return browser


def drawn(page: webdriver.Chrome) -> webdriver.Chrome:
    until(page, "document.documentElement.dataset.charts === 'drawn'")
    return page


def until(page: webdriver.Chrome, condition: str) -> None:
    """Wait for what a script of the page does after this one."""
    WebDriverWait(page, 30, poll_frequency=0.05).until(lambda chrome: chrome.execute_script(f"return {condition}"))


def count_is(number: int) -> str:
    return f"document.querySelectorAll('#explorer-items .item').length === {number}"


def emulate(browser: webdriver.Chrome, width: int = 0, scheme: str = "") -> None:
    metrics = {"width": width, "height": 800 if width else 0, "deviceScaleFactor": 0, "mobile": width > 0}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    )


def shown(page: webdriver.Chrome) -> list[str]:
    """The ids of the items on the page, in their order."""
    script = "return [...document.querySelectorAll('#explorer-items .item')].map((item) => item.dataset.id)"
    return page.execute_script(script)  # type: ignore[no-any-return]


def test_every_chart_is_drawn_without_a_complaint_and_nothing_leaves_the_machine(drawn_page: webdriver.Chrome) -> None:
    page = drawn_page
    marks = page.execute_script(
        "return [...document.querySelectorAll('figure .chart')].map((box) => [box.id, box.getAttribute('aria-label').length,"
        " box.querySelectorAll('svg g.role-mark path, svg g.role-mark line, svg g.role-mark text').length])"
    )
    assert len(marks) >= 12
    assert all(words > 20 and count > 1 for _, words, count in marks), marks
    assert [entry for entry in page.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")] == []
    events = [json.loads(entry["message"])["message"] for entry in page.get_log("performance")]
    asked = [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]
    assert any(address.startswith("file:") for address in asked)
    assert all(address.startswith(("file:", "data:", "about:")) for address in asked), asked


def test_the_policy_runs_no_other_script_and_lets_no_request_out(page: webdriver.Chrome) -> None:
    page.execute_script(
        "const script = document.createElement('script'); script.textContent = 'window.ran = true'; document.body.append(script)"
    )
    assert page.execute_script("return window.ran") is None
    tried = "fetch(arguments[0]).then(() => arguments[1]('out'), () => arguments[1]('refused'))"
    assert page.execute_async_script(tried, "https://example.org/") == "refused"
    refused = [entry["message"] for entry in page.get_log("browser") if "Content Security Policy" in entry["message"]]
    assert any("inline script" in message for message in refused)
    assert any("example.org" in message for message in refused)


def test_the_explorer_sorts_by_disagreement_error_and_difference(page: webdriver.Chrome) -> None:
    dataset = toy_dataset()
    names = [dataset.votes.name_of(position) for position in range(60)]
    entropy = {name: round(1000 * value) for name, value in zip(names, dataset.votes.entropy(), strict=True)}
    assert [entropy[name] for name in shown(page)] == sorted(entropy.values(), reverse=True)[:48]
    sort, order = (Select(page.find_element(By.NAME, name)) for name in ("sort", "order"))
    sls = predictions(dataset, "sls")
    error = {names[position]: round(1000 * kl) for position, kl in zip(sls.position, sls.kl, strict=True)}
    sort.select_by_visible_text("error of SLS")
    assert [error[name] for name in shown(page)] == sorted(error.values(), reverse=True)[:48]
    order.select_by_visible_text("lowest first")
    assert [error[name] for name in shown(page)] == sorted(error.values())[:48]
    sort.select_by_visible_text("error of Majority vote")
    assert len(shown(page)) == 30  # as many as it has predictions for
    order.select_by_visible_text("highest first")
    sort.select_by_visible_text("difference between methods")
    page.find_element(By.CSS_SELECTOR, "#explorer-methods label:nth-of-type(3)").click()  # without majority vote
    apart = abs(predictions(dataset, "soft").share - sls.share).sum(axis=1) / 2
    most = {names[position]: value for position, value in enumerate(apart)}
    differences = [most[name] for name in shown(page)]
    assert all(one >= two - 0.003 for one, two in pairwise(differences))


def test_the_explorer_searches_and_turns_pages(page: webdriver.Chrome) -> None:
    search = page.find_element(By.NAME, "query")
    search.send_keys("item 23")
    assert shown(page) == ["item 23"]
    search.send_keys(Keys.CONTROL, "a")
    search.send_keys("cat & dog")
    majority = toy_dataset().votes.majority()
    assert len(shown(page)) == (majority == 1).sum()
    search.send_keys(Keys.CONTROL, "a", Keys.BACKSPACE)
    Select(page.find_element(By.NAME, "majority")).select_by_visible_text(CLASSES[2])
    assert len(shown(page)) == (majority == 2).sum()
    Select(page.find_element(By.NAME, "majority")).select_by_visible_text("any class")
    first = shown(page)
    page.find_element(By.XPATH, "//div[@id='explorer-pager']//button[contains(., 'next')]").click()
    assert len(shown(page)) == 12
    assert not set(shown(page)) & set(first)
    search.send_keys("nothing like that")
    assert page.find_element(By.ID, "explorer-status").text == "No matching items."


def test_a_link_opens_one_item_however_it_is_called(browser: webdriver.Chrome, made_up_page: Path) -> None:
    page = opened(browser, f"{made_up_page.as_uri()}#item={quote(STRANGE, safe='')}")
    assert shown(page) == [STRANGE]
    page.find_element(By.LINK_TEXT, "Back to all items").click()
    until(page, count_is(48))
    page.find_element(By.CSS_SELECTOR, "#explorer-items .item h3 a").click()
    until(page, count_is(1))
    page.execute_script("location.hash = '#item=nobody'")
    until(page, count_is(0))
    assert "Item nobody is not one of the 60 items" in page.find_element(By.ID, "explorer-status").text


def test_a_label_that_is_code_is_shown_as_text(page: webdriver.Chrome) -> None:
    heads = page.execute_script(
        "return [...document.querySelectorAll('#explorer-items thead th')].map((th) => th.textContent)"
    )
    assert set(CLASSES) <= set(heads)
    assert SCRIPT in page.find_element(By.CSS_SELECTOR, "#explorer-items .text").text
    assert page.execute_script("return document.querySelectorAll('#explorer script, #explorer b').length") == 0


def test_all_classes_that_are_shown_leave_no_rest_and_a_name_that_is_cut_can_be_read(page: webdriver.Chrome) -> None:
    heads = page.execute_script(
        "return [...document.querySelectorAll('#explorer-items thead th')].map((th) => [th.textContent, th.title])"
    )
    assert "rest" not in {text for text, _ in heads}  # three classes, and a column for each
    assert {(name, name) for name in CLASSES} <= {(text, title) for text, title in heads}


def test_claims_are_filtered_and_open(page: webdriver.Chrome) -> None:
    def visible() -> list[list[str]]:
        script = "return [...document.querySelectorAll('details.claim[data-kind]:not([hidden])')].map((e) => [e.id, e.dataset.outcome])"
        return page.execute_script(script)  # type: ignore[no-any-return]

    every = visible()
    script = "return [...document.querySelectorAll('[data-kind=claim]')].map((e) => e.dataset.outcome)"
    outcomes = page.execute_script(script)
    assert outcomes == sorted(outcomes, key=lambda outcome: outcome != "contradicted")
    page.find_element(By.CSS_SELECTOR, "input[name=outcome][value=undecided]").click()
    assert {outcome for _, outcome in visible()} == {"undecided"}
    page.find_element(By.CSS_SELECTOR, "a.tile[data-outcome=contradicted]").click()  # leads to the list of those
    assert {outcome for _, outcome in visible()} == {"contradicted"}
    assert page.execute_script("return location.hash") == "#each"
    page.find_element(By.CSS_SELECTOR, "input[name=outcome][value=contradicted]").click()
    page.find_element(By.NAME, "text").send_keys("grad-cam")
    assert 0 < len(visible()) < len(every)
    page.find_element(By.NAME, "text").send_keys(Keys.CONTROL, "a", Keys.BACKSPACE)
    Select(page.find_element(By.NAME, "section")).select_by_visible_text("Dynamics")
    assert [id for id, _ in visible()] == [id for id, _ in every if id in ("claim-D1", "claim-D2", "claim-D3")]
    page.execute_script("location.hash = '#claim-S1'")
    opened_one = page.find_element(By.ID, "claim-S1")
    until(page, "document.getElementById('claim-S1').open")
    for words in (
        "smallest possible p",
        "95 % interval",
        "seeds that agree in sign",
        "at the last checkpoint",
        "Published",
    ):
        assert words in opened_one.text


def test_the_list_of_items_is_as_wide_as_the_page(page: webdriver.Chrome) -> None:
    width = "return document.querySelector(arguments[0]).clientWidth"
    assert page.execute_script(width, "#explorer-items") == page.execute_script(width, "section.part")


def test_a_phone_shows_all_of_it_without_scrolling_sideways(browser: webdriver.Chrome, made_up_page: Path) -> None:
    emulate(browser, width=375)
    try:
        page = drawn(opened(browser, made_up_page.as_uri()))
        page.execute_script("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        assert page.execute_script("return document.documentElement.scrollWidth") <= 375
        script = "return [...document.querySelectorAll('.chart svg')].map((svg) => svg.clientWidth / svg.getAttribute('width'))"
        assert min(page.execute_script(script)) > 0.95  # letters are as large as anywhere
        page.execute_script("location.hash = '#item=item%203'")
        until(page, count_is(1))
        assert page.execute_script("return document.documentElement.scrollWidth") <= 375
    finally:
        emulate(browser)


def test_a_dark_page_has_light_ink_in_its_charts_too(browser: webdriver.Chrome, made_up_page: Path) -> None:
    page = opened(browser, made_up_page.as_uri())
    until(page, "document.querySelector('.chart svg .role-axis-title text')")
    script = (
        "const light = (colour) => { const [r, g, b] = colour.match(/[\\d.]+/g).map(Number); return (r + g + b) / 765; };"
        "const text = document.querySelector('.chart svg .role-axis-title text');"
        "return [light(getComputedStyle(document.body).backgroundColor), light(getComputedStyle(document.body).color),"
        " light(getComputedStyle(text).fill)]"
    )
    paper, ink, chart = page.execute_script(script)
    assert paper > 0.9 > 0.4 > max(ink, chart)
    emulate(browser, scheme="dark")
    try:
        paper, ink, chart = page.execute_script(script)
        assert paper < 0.2 < 0.7 < min(ink, chart)
    finally:
        emulate(browser)


def test_every_table_and_chart_can_be_saved(drawn_page: webdriver.Chrome) -> None:
    page = drawn_page
    links = page.execute_script(
        "return [...document.querySelectorAll('a[download]')].map((a) => [a.download, a.href.slice(0, 14)])"
    )
    assert {f"table-{number}.csv" for number in (*range(1, 10), "methods")} <= {name for name, _ in links}
    assert all(address.startswith("data:text/") for _, address in links)
    page.execute_script(
        "window.saved = []; const make = URL.createObjectURL;"
        "URL.createObjectURL = (blob) => { window.saved.push(blob); return make(blob); };"
        "HTMLAnchorElement.prototype.click = () => {};"
    )
    page.execute_script(
        "document.querySelectorAll('figure button.svg, figure button.csv').forEach((button) => button.click())"
    )
    count = len(page.find_elements(By.CSS_SELECTOR, "figure button.svg"))
    until(page, f"saved.length === {2 * count}")
    texts = page.execute_async_script("Promise.all(saved.map((blob) => blob.text())).then(arguments[0])")
    assert sum(text.startswith("<svg") for text in texts) == count
    assert not any("var(--" in text for text in texts)


def test_pictures_and_regions_have_names(page: webdriver.Chrome) -> None:
    nameless = page.execute_script(
        "return [...document.querySelectorAll('[role=img], [role=region]')].filter((e) => !e.getAttribute('aria-label')).length"
    )
    assert nameless == 0
    assert len(page.find_elements(By.CSS_SELECTOR, ".picture[role=img]")) == 48
    levels = page.execute_script("return [...document.querySelectorAll('h1, h2, h3')].map((e) => Number(e.tagName[1]))")
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(two - one <= 1 for one, two in pairwise(levels))


def test_a_comparison_shows_no_claims_and_its_contents_name_its_sections(
    browser: webdriver.Chrome, tmp_path: Path
) -> None:
    results = only(made_up(), "soft", "sls", "majority")
    section = items_section(None, lambda method: (method, "#000"), "no items")
    made = contents(results, items=section)
    (tmp_path / "report.html").write_text(build(made.page), encoding="utf-8")
    page = opened(browser, (tmp_path / "report.html").as_uri())
    assert page.execute_script("return document.querySelectorAll('[data-kind]').length") == len(made.decisions) == 0
    places = page.execute_script("return [...document.querySelectorAll('main h2')].map((title) => title.id)")
    assert places == ["methods", "figures", "run", "items"]
    linked = page.execute_script(
        "return [...document.querySelectorAll('nav.contents > details > ol > li > a')].map((a) => a.hash.slice(1))"
    )
    assert linked == [id for id in places if id in linked]
    script = "return [`nav a[href='#${arguments[0]}']`, `#${arguments[0]}`].map((at) => document.querySelector(at).textContent)"
    for id in linked:  # what the contents call it is what it is called
        called, title = page.execute_script(script, id)
        assert called == title


@pytest.mark.parametrize("width", [375, 1400, 1920])
def test_a_table_that_goes_on_scrolls_and_shows_its_edge(
    browser: webdriver.Chrome, made_up_page: Path, width: int
) -> None:
    emulate(browser, width=width)
    try:
        page = drawn(opened(browser, made_up_page.as_uri()))
        page.execute_script("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        boxes = page.execute_script(
            "return [...document.querySelectorAll('.box')].filter((box) => box.scrollWidth > box.clientWidth + 1).map((box) => {"
            " const style = getComputedStyle(box), first = box.querySelector('th:first-child'), edge = box.getBoundingClientRect().left;"
            " box.scrollLeft = 60; return [style.overflowX, style.backgroundAttachment, first.getBoundingClientRect().left - edge]; })"
        )
        assert boxes or width > 375
        for overflow, attachment, first in boxes:
            assert (overflow, attachment) == ("auto", "local, local, scroll, scroll")
            assert abs(first) < 1.5  # the names of rows stay
    finally:
        emulate(browser)


def test_the_contents_mark_the_part_that_is_read(drawn_page: webdriver.Chrome) -> None:
    page = drawn_page
    current = "[...document.querySelectorAll('nav.contents a[aria-current]')].map((a) => a.hash).join()"
    for anchor in ("table-4", "figure-3"):
        page.execute_script("document.getElementById(arguments[0]).scrollIntoView()", anchor)
        until(page, f"{current} === '#{anchor}'")


def test_no_class_name_is_broken_or_cut_inside_a_word(browser: webdriver.Chrome, made_up_page: Path) -> None:
    emulate(browser, width=375)
    try:
        page = opened(browser, made_up_page.as_uri())
        cut = page.execute_script(
            "return [...document.querySelectorAll('table.shares thead th span')].filter((span) => span.scrollWidth > span.clientWidth + 1)"
            ".map((span) => span.textContent).filter((text) => text.split(/\\s+/).every((word) => word.length <= 20))"
        )
        assert cut == []
    finally:
        emulate(browser)


def test_the_page_of_a_paper_opens_with_its_story_and_its_tiles(browser: webdriver.Chrome, made_up_page: Path) -> None:
    emulate(browser, width=1400)
    try:
        page = drawn(opened(browser, made_up_page.as_uri()))
        bottom = "return document.querySelector(arguments[0]).getBoundingClientRect().bottom"
        assert page.execute_script(bottom, ".answer strong") < page.execute_script(bottom, ".tally") < 800
        assert page.execute_script(bottom, "#chart-story svg") < 900
        assert page.find_element(By.CSS_SELECTOR, ".answer strong").text.startswith(
            "At the best epoch, with 3 and 10 votes per item, hard deliveries fit"
        )
        sections = page.execute_script("return [...document.querySelectorAll('main h2')].map((title) => title.id)")
        assert sections.index("claims") == 0 < sections.index("run")  # machine and versions stand below
    finally:
        emulate(browser)


def test_every_part_of_a_section_starts_at_the_edge_of_the_column(
    browser: webdriver.Chrome, made_up_page: Path
) -> None:
    emulate(browser, width=1400)
    try:
        page = drawn(opened(browser, made_up_page.as_uri()))
        lefts = page.execute_script(
            "return [...document.querySelectorAll('main > section > :not(noscript)')].filter((part) => part.offsetParent).map((part) => Math.round(part.getBoundingClientRect().left))"
        )
        assert len(set(lefts)) == 1
    finally:
        emulate(browser)
