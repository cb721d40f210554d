"""Your own data: matched by item id, and told in one sentence where it does not match."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from votewise.datasets import Dataset
from votewise.errors import VotewiseError
from votewise.reporting.source_texts import left_out
from votewise.votes import DroppedVotes, Votes

VOTES = "item,annotator,label\nb,ann,dog\na,ann,cat\na,bob,dog\nc,ann,dog\n"


def votes_file(folder: Path, text: str = VOTES) -> Path:
    (folder / "votes.csv").write_text(text)
    return folder / "votes.csv"


def grey(level: int, height: int = 4, width: int = 6) -> Image.Image:
    return Image.fromarray(np.full((height, width), level, np.uint8))


def save(folder: Path, images: dict[str, Image.Image]) -> Path:
    for name, image in images.items():
        path = folder / "images" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        image.save(path)
    return folder / "images"


@pytest.mark.parametrize("ending", ["", ".png"])
def test_images_are_matched_by_name_with_or_without_extension(tmp_path: Path, ending: str) -> None:
    images = save(tmp_path, {"c.png": grey(30), "a.png": grey(10), "b.png": grey(20)})
    (images / "notes.txt").write_text("not an image")
    (images / ".hidden.png").write_bytes(b"not one of them")
    text = VOTES.replace("\na,", f"\na{ending},").replace("\nb,", f"\nb{ending},").replace("\nc,", f"\nc{ending},")
    dataset = Dataset.from_files(images, votes_file(tmp_path, text))
    assert dataset.inputs.shape == (3, 4, 6, 1)
    assert dataset.inputs[:, 0, 0, 0].tolist() == [10, 20, 30]
    assert dataset.votes.items.tolist() == [f"a{ending}", f"b{ending}", f"c{ending}"]
    assert dataset.votes.counts().tolist() == [[1, 1], [0, 1], [0, 1]]
    assert (dataset.name, dataset.augment, dataset.labels, dataset.truth) == ("own", (), None, None)


def test_what_it_is_depends_on_neither_the_names_of_places_nor_the_order_of_files(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    pixels = {name: grey(level) for name, level in (("a.png", 1), ("b.png", 2), ("c.png", 3))}
    one = Dataset.from_files(save(tmp_path / "one", pixels), votes_file(tmp_path / "one"))
    head, *lines = VOTES.splitlines(keepends=True)
    two = Dataset.from_files(
        save(tmp_path / "two", dict(reversed(pixels.items()))),
        votes_file(tmp_path / "two", head + "".join(lines[::-1])),
    )
    rows = np.stack([np.full((4, 6), level, np.uint8) for level in (1, 2, 3)])
    three = Dataset.from_files(
        rows, Votes.from_long(["0", "0", "1", "2"], ["cat", "dog", "dog", "dog"], ["ann", "bob", "ann", "ann"])
    )
    assert one.fingerprint == two.fingerprint == three.fingerprint


def test_folders_below_are_part_of_the_id(tmp_path: Path) -> None:
    images = save(tmp_path, {"day/1.png": grey(1), "night/1.png": grey(2)})
    dataset = Dataset.from_files(images, votes_file(tmp_path, "item,label\nnight/1,cat\nday/1.png,dog\n"))
    assert dataset.inputs[:, 0, 0, 0].tolist() == [1, 2]


def test_grey_and_colour_together_are_colour(tmp_path: Path) -> None:
    colour = Image.new("RGB", (6, 4), (200, 0, 100))
    dataset = Dataset.from_files(
        save(tmp_path, {"a.png": grey(7), "b.jpg": colour, "c.png": colour}), votes_file(tmp_path)
    )
    assert dataset.inputs.shape == (3, 4, 6, 3)
    assert dataset.inputs[0, 0, 0].tolist() == [7, 7, 7]
    assert dataset.inputs[2, 0, 0].tolist() == [200, 0, 100]
    assert np.abs(dataset.inputs[1, 0, 0].astype(int) - [200, 0, 100]).max() < 20  # JPEG


def test_pictures_come_upright_and_transparency_on_white(tmp_path: Path) -> None:
    left_is_dark = np.zeros((4, 6, 3), np.uint8)
    left_is_dark[:, 3:] = 255
    turned = Image.fromarray(np.rot90(left_is_dark))  # as a camera held upright stores it
    exif = Image.Exif()
    exif[0x0112] = 6  # turn clockwise to see it
    (tmp_path / "images").mkdir()
    turned.save(tmp_path / "images" / "a.jpg", exif=exif, quality=100, subsampling=0)
    clear = Image.new("RGBA", (6, 4), (0, 0, 0, 0))
    half = Image.new("P", (6, 4), 0)
    half.putpalette([9, 9, 9])
    images = save(tmp_path, {"b.png": clear, "c.png": half})
    dataset = Dataset.from_files(images, votes_file(tmp_path))
    assert (np.abs(dataset.inputs[0].astype(int) - left_is_dark) < 30).all()
    assert (dataset.inputs[1] == 255).all()
    assert (dataset.inputs[2] == 9).all()


def test_sizes_may_differ_where_a_size_is_asked_for(tmp_path: Path) -> None:
    images = save(tmp_path, {"a.png": grey(10, 4, 6), "b.png": grey(20, 9, 9), "c.png": grey(30, 2, 2)})
    assert Dataset.from_files(images, votes_file(tmp_path), size=(5, 7)).inputs.shape == (3, 5, 7, 1)
    assert Dataset.from_files(images, votes_file(tmp_path), size=8).inputs[:, 0, 0, 0].tolist() == [10, 20, 30]


def test_flips_and_crops_only_where_asked(tmp_path: Path) -> None:
    images = save(tmp_path, {f"{name}.png": grey(1) for name in "abc"})
    assert Dataset.from_files(images, votes_file(tmp_path), augment=["flip"]).augment == ("flip",)


def test_arrays_are_matched_by_row_number_or_by_place(tmp_path: Path) -> None:
    features = np.array([[1.5, 2], [3, 4], [5, 6]])
    np.save(tmp_path / "x.npy", features)
    by_row = Dataset.from_files(tmp_path / "x.npy", votes_file(tmp_path, "item,label\n2,cat\n0,dog\n1,dog\n"))
    assert by_row.inputs.dtype == np.float32
    assert by_row.inputs.tolist() == features.tolist()
    assert by_row.votes.counts().tolist() == [[0, 1], [0, 1], [1, 0]]
    np.save(tmp_path / "counts.npy", np.array([[1, 2], [3, 4], [5, 6]]))
    by_place = Dataset.from_files(tmp_path / "x.npy", tmp_path / "counts.npy")
    assert by_place.votes.counts().tolist() == [[1, 2], [3, 4], [5, 6]]
    np.savez(tmp_path / "x.npz", features=features, item_ids=np.array(["c", "a", "b"]))
    by_id = Dataset.from_files(tmp_path / "x.npz", votes_file(tmp_path))
    assert by_id.inputs.tolist() == [[3, 4], [5, 6], [1.5, 2]]


def test_images_in_an_array_need_no_channels(tmp_path: Path) -> None:
    images = np.arange(3 * 4 * 5, dtype=np.uint8).reshape(3, 4, 5)
    assert (Dataset.from_files(images, Votes.from_counts(np.ones((3, 2), int))).inputs == images[..., None]).all()
    mine = np.zeros((3, 2), np.float32)
    dataset = Dataset.from_files(mine, Votes.from_counts(np.ones((3, 2), int)))
    mine += 1
    assert (dataset.inputs == 0).all()
    rgb = np.zeros((3, 4, 5, 3), np.uint8)
    assert Dataset.from_files(rgb, Votes.from_counts(np.ones((3, 2), int))).inputs.shape == rgb.shape


def test_one_question_of_several_and_what_is_dropped(tmp_path: Path) -> None:
    text = "instance_id,user_id,text,offensiveness,politeness\n0,1,x,1,5\n1,1,y,2,\n2,1,z,3,4\n"
    with pytest.warns(DroppedVotes, match="without politeness") as caught:
        dataset = Dataset.from_files(np.zeros((3, 2)), votes_file(tmp_path, text), question="offensiveness")
    assert dataset.votes.majority().tolist() == [0, 1, 2]
    assert caught[0].filename == __file__


def test_columns_that_are_read_as_text_or_split_are_not_reported_as_unread(tmp_path: Path) -> None:
    text = "item,user_id,label,review_text,part,remark\n" + "".join(f"{n},1,{n % 2},x{n},train,\n" for n in range(4))
    path = votes_file(tmp_path, text + "4,1,,x,test,\n4,2,1,x,test,\n")
    with pytest.warns(DroppedVotes) as caught:
        dataset = Dataset.from_files(votes=path, text="review_text", split="part")
    for said in (str(caught[0].message), *left_out(dataset)):
        assert "columns not read: 'remark'" in said
        assert "review_text" not in said
        assert "'part'" not in said
    assert len(left_out(dataset)) == 1
    with pytest.warns(DroppedVotes, match="columns not read: 'review_text', 'part', 'remark'"):
        Dataset.from_files(np.zeros((5, 2)), path)


Make = Callable[[Path], tuple[object, object]]


def folder(images: dict[str, Image.Image], votes: str = VOTES) -> Make:
    return lambda place: (save(place, images), votes_file(place, votes))


def array(values: np.ndarray, votes: str = "item,label\n0,cat\n1,dog\n2,dog\n", **beside: np.ndarray) -> Make:
    def make(place: Path) -> tuple[object, object]:
        np.savez(place / "x.npz", inputs=values, **beside) if beside else np.save(place / "x.npy", values)
        return place / ("x.npz" if beside else "x.npy"), votes_file(place, votes)

    return make


def damaged(content: bytes) -> Make:
    def make(place: Path) -> tuple[object, object]:
        images = save(place, {"a.png": grey(1), "c.png": grey(1)})
        (images / "b.png").write_bytes(content)
        return images, votes_file(place)

    return make


def table(place: Path, content: str, name: str = "x.csv") -> Path:
    (place / name).write_text(content)
    return place / name


def zipped(place: Path, name: str, first: str) -> Path:
    with zipfile.ZipFile(place / name, "w") as archive:
        archive.writestr(first, b"\0\1")
    return place / name


def png() -> bytes:
    import io

    buffer = io.BytesIO()
    Image.effect_noise((64, 64), 90).save(buffer, "PNG")
    return buffer.getvalue()


THREE = {name: grey(1) for name in ("a.png", "b.png", "c.png")}
BAD: dict[str, tuple[Make, list[str]]] = {
    "votes without inputs": (folder({"a.png": grey(1)}), ["images", "2 of 3", "'b', 'c'"]),
    "inputs without votes": (folder({**THREE, "d.png": grey(1), "e.png": grey(1)}), ["images", "2 inputs", "'d.png', 'e.png'"]),
    "the same image twice": (folder(THREE, VOTES + "a.png,ann,cat\n"), ["'a', 'a.png'"]),
    "an ambiguous name": (folder({**THREE, "a.jpg": grey(1)}), ["'a'", "'a.jpg', 'a.png'"]),
    "no votes": (lambda place: (save(place, THREE), place / "votes.csv"), ["votes.csv", "this file does not exist"]),
    "no images": (lambda place: (place, votes_file(place)), ["no images", ".png"]),
    "two sizes": (folder({**THREE, "b.png": grey(1, 9, 2)}), ["'a.png' is 4×6", "'b.png' is 9×2", "size="]),
    "no image at all": (damaged(b"not an image"), ["b.png", "PNG or JPEG"]),
    "a truncated image": (damaged(png()[:900]), ["b.png", "truncated"]),
    "an empty image": (damaged(b""), ["b.png"]),
    "16 bits": (folder({**THREE, "b.png": Image.fromarray(np.zeros((4, 6), np.uint16))}), ["b.png", "8 bits"]),
    "no inputs": (lambda place: (place / "x.npy", votes_file(place)), ["x.npy", "this file does not exist"]),
    "items that are no rows": (array(np.zeros((3, 2)), VOTES), ["x.npy", "'a', 'b', 'c'", "'0', '1', '2'"]),
    "items that count from 1": (
        array(np.zeros((3, 2)), "item,label\n1,cat\n2,dog\n3,dog\n"),
        ["1 of 3", "the votes seem to count from 1", "from 0", ".npz with the arrays 'inputs' and 'items'"],
    ),
    "rows without votes": (array(np.zeros((5, 2))), ["x.npy", "2 inputs", "'3', '4'"]),
    "an item listed without votes": (array(np.zeros((2, 2)), "item,cat,dog\n0,1,2\n1,0,0\n"), ["votes.csv", "1 of 2", "'1'"]),
    "channels first": (array(np.zeros((3, 3, 32, 32), np.uint8)), ["x.npy", "transpose"]),
    "floating-point images": (array(np.zeros((3, 4, 4, 3))), ["x.npy", "uint8"]),
    "complex numbers": (array(np.zeros((3, 2), complex)), ["x.npy", "numbers"]),
    "NaN": (array(np.array([[1.0], [np.nan], [2.0]])), ["x.npy", "row 1"]),
    "beyond float32": (array(np.array([[1.0], [2.0], [1e300]])), ["x.npy", "row 2"]),
    "ids that repeat": (array(np.zeros((3, 2)), VOTES, items=np.array(["a", "b", "b"])), ["x.npz", "2 different ids"]),
    "too few ids": (array(np.zeros((3, 2)), VOTES, items=np.array(["a", "b"])), ["x.npz", "2 different ids for 3"]),
    "many more rows": (array(np.zeros((1_000_001, 1)), VOTES, items=np.arange(3)), ["'inputs' has 1,000,001 rows", "3 items"]),
    "many more ids": (array(np.zeros((3, 1)), VOTES, ids=np.zeros(1_000_001)), ["array 'ids' has 1,000,001 rows"]),
    "pickled ids": (array(np.zeros((3, 2)), VOTES, items=np.array(["a", 1, "b"], dtype=object)), ["x.npz", "pickled"]),
    "no array": (lambda place: (votes_file(place), votes_file(place)), ["votes.csv", "column 'annotator'"]),
    "swapped": (lambda place: (votes_file(place), table(place, "item,x,y\na,-1,0.5\n")), ["swapped", "votes.csv second"]),
    "a workbook": (lambda place: (zipped(place, "x.xlsx", "xl/workbook"), votes_file(place)), ["Excel workbook", "as CSV"]),
    "a file of torch": (lambda place: (zipped(place, "x.pt", "x/data.pkl"), votes_file(place)), ["file of torch", ".npy"]),
    "plain text": (lambda place: (table(place, "1 2\n3 4\n", "x.txt"), votes_file(place)), ["from a .txt file", ".npz"]),
    "a table without ids": (
        lambda place: (table(place, "x,y\n1,2\n3,4\n"), votes_file(place)), ["'a', 'b', 'c'", "add a column 'item'"],
    ),
    "another number of rows": (
        lambda place: (np.zeros((3, 2)), Votes.from_counts(np.ones((4, 2), int))), ["3 inputs", "4 items"],
    ),
    "votes without ids": (
        lambda place: (save(place, THREE), Votes.from_counts(np.ones((3, 2), int))), ["no item ids"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_sentence(case: str, tmp_path: Path) -> None:
    make, words = BAD[case]
    inputs, votes = make(tmp_path)
    with pytest.raises(VotewiseError) as refused:
        Dataset.from_files(inputs, votes)
    told = str(refused.value)
    assert all(word in told for word in words), told
    assert "; " in told
    assert "\n" not in told


def test_only_items_that_are_all_row_numbers_plus_one_seem_to_count_from_1(tmp_path: Path) -> None:
    for text in ("1,cat\n2,dog\n4,dog\n", "a,cat\nb,dog\n", "2,cat\n3,dog\n"):
        with pytest.raises(
            VotewiseError, match=r"; number the items from 0, in the order of the rows, or give an \.npz"
        ):
            Dataset.from_files(np.zeros((3, 2)), votes_file(tmp_path, "item,label\n" + text))


def test_many_unmatched_items_are_named_in_part(tmp_path: Path) -> None:
    text = "item,label\n" + "".join(f"item-{n:03d},{'cat' if n % 2 else 'dog'}\n" for n in range(200))
    with pytest.raises(VotewiseError, match=r"'item-004' and 195 more") as refused:
        Dataset.from_files(save(tmp_path, THREE), votes_file(tmp_path, text))
    assert len(str(refused.value)) < 500


def test_only_a_folder_is_resized(tmp_path: Path) -> None:
    with pytest.raises(VotewiseError, match="size=8"):
        Dataset.from_files(np.zeros((3, 4, 4), np.uint8), Votes.from_counts(np.ones((3, 2), int)), size=8)
    with pytest.raises(VotewiseError, match="size"):
        Dataset.from_files(save(tmp_path, THREE), votes_file(tmp_path), size=0)


def test_a_file_without_inputs_is_refused(tmp_path: Path) -> None:
    votes = votes_file(tmp_path)
    np.savez(tmp_path / "ids.npz", items=np.array(["a", "b", "c"]))
    with pytest.raises(VotewiseError, match="the file has no array of inputs; name the array 'inputs'"):
        Dataset.from_files(tmp_path / "ids.npz", votes)
    np.save(tmp_path / "none.npy", np.zeros((0, 4)))
    with pytest.raises(VotewiseError, match=r"an array of shape \(0, 4\) has no inputs"):
        Dataset.from_files(tmp_path / "none.npy", votes)
