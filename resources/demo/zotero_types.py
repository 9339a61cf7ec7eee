"""The item types, fields and creator roles of a Zotero database.

Which fields an item type has, which of them stand for a base field, and which creator role is the
main one. IDs are shuffled by the schema, because they differ between installations and a reader that
relies on them is wrong.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from typing import NamedTuple

# "field" or "field=base field it stands for", in the order Zotero shows them.
_END = "language shortTitle url accessDate archive archiveLocation libraryCatalog callNumber rights extra"

_FIELDS = {
    "artwork": f"title abstractNote artworkMedium=medium artworkSize date {_END}",
    "audioRecording": f"title abstractNote audioRecordingFormat=medium seriesTitle volume numberOfVolumes place label=publisher date runningTime ISBN {_END}",
    "bill": "title abstractNote billNumber=number code codeVolume=volume section codePages=pages legislativeBody=authority session history date language url accessDate shortTitle rights extra",
    "blogPost": "title abstractNote blogTitle=publicationTitle websiteType=type date url accessDate language shortTitle rights extra",
    "book": f"title abstractNote series seriesNumber volume numberOfVolumes edition place publisher date numPages ISBN {_END}",
    "bookSection": f"title abstractNote bookTitle=publicationTitle series seriesNumber volume numberOfVolumes edition place publisher date pages ISBN {_END}",
    "case": "caseName=title abstractNote court=authority dateDecided=date docketNumber=number reporter reporterVolume=volume firstPage=pages history language shortTitle url accessDate rights extra",
    "computerProgram": f"title abstractNote seriesTitle versionNumber date system place company=publisher programmingLanguage ISBN {_END}",
    "conferencePaper": f"title abstractNote date proceedingsTitle=publicationTitle conferenceName place publisher volume pages series DOI ISBN {_END}",
    "dataset": f"title abstractNote identifier=number type versionNumber date repository=publisher repositoryLocation=place format DOI citationKey {_END}",
    "dictionaryEntry": f"title abstractNote dictionaryTitle=publicationTitle series seriesNumber volume numberOfVolumes edition place publisher date pages ISBN {_END}",
    "document": f"title abstractNote publisher date {_END}",
    "email": "subject=title abstractNote date shortTitle url accessDate language rights extra",
    "encyclopediaArticle": f"title abstractNote encyclopediaTitle=publicationTitle series seriesNumber volume numberOfVolumes edition place publisher date pages ISBN {_END}",
    "film": f"title abstractNote distributor=publisher date genre=type videoRecordingFormat=medium runningTime {_END}",
    "forumPost": "title abstractNote forumTitle=publicationTitle postType=type date language shortTitle url accessDate rights extra",
    "hearing": "title abstractNote committee place publisher numberOfVolumes documentNumber=number pages legislativeBody=authority session history date language shortTitle url accessDate rights extra",
    "instantMessage": "title abstractNote date language shortTitle url accessDate rights extra",
    "interview": f"title abstractNote date interviewMedium=medium {_END}",
    "journalArticle": f"title abstractNote publicationTitle volume issue pages date series seriesTitle seriesText journalAbbreviation DOI ISSN {_END}",
    "letter": f"title abstractNote letterType=type date {_END}",
    "magazineArticle": f"title abstractNote publicationTitle volume issue date pages ISSN {_END}",
    "manuscript": f"title abstractNote manuscriptType=type place date numPages {_END}",
    "map": f"title abstractNote mapType=type scale seriesTitle edition place publisher date ISBN {_END}",
    "newspaperArticle": f"title abstractNote publicationTitle place edition date section pages ISSN {_END}",
    "patent": "title abstractNote place country assignee issuingAuthority=authority patentNumber=number filingDate pages applicationNumber priorityNumbers issueDate=date references legalStatus=status language shortTitle url accessDate rights extra",
    "podcast": "title abstractNote seriesTitle episodeNumber=number audioFileType=medium runningTime url accessDate language shortTitle rights extra",
    "preprint": f"title abstractNote genre=type repository=publisher archiveID=number place date series seriesNumber DOI citationKey {_END}",
    "presentation": "title abstractNote presentationType=type date place meetingName url accessDate language shortTitle rights extra",
    "radioBroadcast": f"title abstractNote programTitle=publicationTitle episodeNumber=number audioRecordingFormat=medium place network=publisher date runningTime {_END}",
    "report": f"title abstractNote reportNumber=number reportType=type seriesTitle place institution=publisher date pages {_END}",
    "standard": f"title abstractNote organization=authority committee type number versionNumber status date publisher place DOI citationKey numPages {_END}",
    "statute": "nameOfAct=title abstractNote code codeNumber publicLawNumber=number dateEnacted=date pages section session history language shortTitle url accessDate rights extra",
    "thesis": f"title abstractNote thesisType=type university=publisher place date numPages {_END}",
    "tvBroadcast": f"title abstractNote programTitle=publicationTitle episodeNumber=number videoRecordingFormat=medium place network=publisher date runningTime {_END}",
    "videoRecording": f"title abstractNote videoRecordingFormat=medium seriesTitle volume numberOfVolumes place studio=publisher date runningTime ISBN {_END}",
    "webpage": "title abstractNote websiteTitle=publicationTitle websiteType=type date shortTitle url accessDate language rights extra",
    "attachment": "title accessDate url",
    "note": "title",
    "annotation": "",
}

# The main role first.
_ROLES = {
    "artwork": "artist contributor",
    "audioRecording": "performer composer contributor wordsBy",
    "bill": "sponsor contributor cosponsor",
    "blogPost": "author commenter contributor",
    "book": "author contributor editor seriesEditor translator",
    "bookSection": "author bookAuthor contributor editor seriesEditor translator",
    "case": "author contributor counsel",
    "computerProgram": "programmer contributor",
    "conferencePaper": "author contributor editor seriesEditor translator",
    "dictionaryEntry": "author contributor editor seriesEditor translator",
    "document": "author contributor editor reviewedAuthor translator",
    "email": "author contributor recipient",
    "encyclopediaArticle": "author contributor editor seriesEditor translator",
    "film": "director contributor producer scriptwriter",
    "hearing": "contributor",
    "instantMessage": "author contributor recipient",
    "interview": "interviewee contributor interviewer translator",
    "journalArticle": "author contributor editor reviewedAuthor translator",
    "letter": "author contributor recipient",
    "magazineArticle": "author contributor reviewedAuthor translator",
    "manuscript": "author contributor translator",
    "map": "cartographer contributor seriesEditor",
    "newspaperArticle": "author contributor reviewedAuthor translator",
    "patent": "inventor attorneyAgent contributor",
    "podcast": "podcaster contributor guest",
    "preprint": "author contributor editor reviewedAuthor translator",
    "presentation": "presenter contributor",
    "radioBroadcast": "director castMember contributor guest producer scriptwriter",
    "report": "author contributor seriesEditor translator",
    "tvBroadcast": "director castMember contributor guest producer scriptwriter",
    "videoRecording": "director castMember contributor producer scriptwriter",
    "webpage": "author contributor translator",
    "attachment": "",
    "note": "",
    "annotation": "",
}
_DEFAULT_ROLES = "author contributor"

# The schema with which a type arrived; the others have always been there.
_SINCE = {"annotation": 112, "preprint": 120, "dataset": 121, "standard": 121}


class Types(NamedTuple):
    """What one database knows of types, by name and by that database's own IDs."""

    types: dict[str, int]  # type name -> itemTypeID
    fields: dict[str, int]  # field name -> fieldID
    roles: dict[str, int]  # creator type -> creatorTypeID
    type_fields: dict[str, tuple[str, ...]]  # in Zotero's order
    type_roles: dict[str, tuple[str, ...]]  # main role first
    base: dict[str, dict[str, str]]  # type -> {its field: the base field it stands for}


def types_of(schema: int) -> Types:
    """The types of a database of that schema; IDs are the same on every call."""
    type_fields: dict[str, tuple[str, ...]] = {}
    base: dict[str, dict[str, str]] = {}
    for name, listed in _FIELDS.items():
        if _SINCE.get(name, 0) > schema:
            continue
        pairs = [word.partition("=") for word in listed.split()]
        # "version" was renamed when the word became a reserved one.
        names = [field if schema >= 117 or field != "versionNumber" else "version" for field, _, _ in pairs]
        type_fields[name] = tuple(names)
        base[name] = {field: of for field, (_, _, of) in zip(names, pairs, strict=True) if of}
    type_roles = {name: tuple(_ROLES.get(name, _DEFAULT_ROLES).split()) for name in type_fields}
    fields = {field for listed in type_fields.values() for field in listed}
    fields |= {of for mapping in base.values() for of in mapping.values()}
    roles = {role for listed in type_roles.values() for role in listed}
    shuffle = random.Random(schema)
    return Types(
        _ids(type_fields, shuffle), _ids(fields, shuffle), _ids(roles, shuffle), type_fields, type_roles, base
    )


def type_rows(types: Types) -> Iterator[tuple[str, dict[str, object]]]:
    """The rows ``(table, values)`` that describe the types in a database."""
    for name, number in types.types.items():
        for table in ("itemTypes", "itemTypesCombined"):
            yield table, {"itemTypeID": number, "typeName": name}
        for order, field in enumerate(types.type_fields[name]):
            row = {"itemTypeID": number, "fieldID": types.fields[field], "hide": 0, "orderIndex": order}
            yield "itemTypeFields", row
            yield "itemTypeFieldsCombined", row
        for field, base in types.base[name].items():
            row = {"itemTypeID": number, "baseFieldID": types.fields[base], "fieldID": types.fields[field]}
            yield "baseFieldMappings", row
            yield "baseFieldMappingsCombined", row
        for order, role in enumerate(types.type_roles[name]):
            yield (
                "itemTypeCreatorTypes",
                {"itemTypeID": number, "creatorTypeID": types.roles[role], "primaryField": int(order == 0)},
            )
    for name, number in types.fields.items():
        for table in ("fields", "fieldsCombined"):
            yield table, {"fieldID": number, "fieldName": name}
    for name, number in types.roles.items():
        yield "creatorTypes", {"creatorTypeID": number, "creatorType": name}


def _ids(names: Iterable[str], shuffle: random.Random) -> dict[str, int]:
    ordered = sorted(names)
    numbers = list(range(1, len(ordered) + 1))
    shuffle.shuffle(numbers)
    return dict(zip(ordered, numbers, strict=True))
